import { jsonOf, startHttpServer, type TestServer } from '@platform/testing';

type Json = Readonly<Record<string, unknown>>;

export interface PixelStandIn extends TestServer {
  readonly received: { readonly path: string; readonly body: Json }[];
  /** The next call is answered with this status and nothing else. */
  failOnce(status: number): void;
}

interface Asked {
  readonly path: string;
  readonly token: string;
  readonly body: Json;
}

/** Undefined body: none is sent. */
type Answering = (asked: Asked) => { readonly status: number; readonly body?: object; readonly taken: boolean };

const startStandIn = async (answer: Answering): Promise<PixelStandIn> => {
  const received: PixelStandIn['received'] = [];
  const faults: number[] = [];
  const server = await startHttpServer((request, response) => {
    void jsonOf(request).then((read) => {
      const { url: path = '', headers } = request;
      const fault = faults.shift();
      if (fault !== undefined) return response.writeHead(fault).end();
      const body = read as Json;
      const answered = answer({ path, body, token: String(headers['access-token'] ?? '') });
      if (answered.taken) received.push({ path, body });
      return response.writeHead(answered.status).end(answered.body ? JSON.stringify(answered.body) : undefined);
    });
  });
  return { ...server, received, failOnce: (status) => void faults.push(status) };
};

export const TIKTOK = { ref: 'COQDA8RC77U2TMR44LI0', token: 'tiktok-token' };
export const GOOGLE = { ref: 'G-ABC123DEF4', token: 'google-secret' };

const isHash = (value: unknown): boolean => value === undefined || /^[0-9a-f]{64}$/.test(String(value));

const tiktokFault = ({ body, token }: Asked): { code: number; message: string } | undefined => {
  if (token !== TIKTOK.token) return { code: 40_105, message: 'Access token is incorrect or has been revoked.' };
  const [event] = (body.data ?? []) as Json[];
  const user = (event?.user ?? {}) as Json;
  const fits =
    body.event_source === 'web' && body.event_source_id === TIKTOK.ref && Number.isInteger(event?.event_time);
  if (!fits || typeof event?.event !== 'string') return { code: 40_002, message: 'Invalid value' };
  return isHash(user.email) && isHash(user.phone) ? undefined : { code: 40_002, message: 'user: not hashed' };
};

/** TikTok's Events API as its documentation describes it: 200 to everything, `code` says what became of it. */
export const startTiktok = (): Promise<PixelStandIn> =>
  startStandIn((asked) => {
    const fault =
      asked.path === '/open_api/v1.3/event/track/' ? tiktokFault(asked) : { code: 40_006, message: 'No path' };
    const body = { ...(fault ?? { code: 0, message: 'OK' }), request_id: '2026', data: {} };
    return { status: 200, body, taken: fault === undefined };
  });

const googleFaults = ({ path, body }: Asked): object[] => {
  const query = new URL(path, 'http://any').searchParams;
  const known = query.get('measurement_id') === GOOGLE.ref && query.get('api_secret') === GOOGLE.token;
  const events = (body.events ?? []) as Json[];
  const user = body.user_data as Json | undefined;
  return [
    ...(known ? [] : [{ description: 'Unknown measurement id or secret', validationCode: 'VALUE_INVALID' }]),
    ...(typeof body.client_id === 'string'
      ? []
      : [{ description: 'client_id is missing', validationCode: 'VALUE_REQUIRED' }]),
    ...(events.length === 1 ? [] : [{ description: 'events are missing', validationCode: 'VALUE_REQUIRED' }]),
    ...(user && body.user_id === undefined
      ? [{ description: 'user_id is missing', validationCode: 'VALUE_REQUIRED' }]
      : []),
  ];
};

/** Google's Measurement Protocol: 204 to everything but where it is debugged. */
export const startGoogle = (): Promise<PixelStandIn> =>
  startStandIn((asked) => {
    const validationMessages = googleFaults(asked);
    const taken = validationMessages.length === 0;
    return asked.path.startsWith('/debug/')
      ? { status: 200, body: { validationMessages }, taken }
      : { status: 204, taken };
  });
