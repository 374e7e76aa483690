import { startJsonServer, type FakeAnswer, type FakeRequest } from './server.fake';

interface Session {
  status: string;
  number: string | null;
  name: string | null;
}

type Mood = 'answer' | 'down' | 'hang' | 'refuse' | 'no-code';

const CODE = { qrcode: 'data:image/png;base64,iVBORw0KGgo=', attempt: 1, expired_at: '2026-03-01T08:00:20.000Z' };
const MOODS: Partial<Record<Mood, FakeAnswer>> = {
  down: [502, {}],
  refuse: [422, { message: 'name is not valid', code: 'VALIDATION' }],
};

const shown = (instanceID: string, session: Session): object => ({
  ...{ instanceID, engine: 'simulator', ...session, profilepic: null, platform: null, last_error: null },
  connected_at: session.status === 'connected' ? '2026-03-01T08:00:00.000Z' : null,
  ...{ last_seen: null, reconnects: 0, restricted_until: null, capabilities: { qr: true } },
  queue: { outgoing: 0, webhook: 0, dead: 0 },
});

const refused = (status: number, message: string): FakeAnswer => [status, { message, code: 'DEVICE_STATE' }];

/** What is asked of one device. */
const ofDevice = (instance: string, session: Session, pathname: string, hasCode: boolean): FakeAnswer => {
  if (pathname === '/api/device-info') return [200, { message: 'device info', data: shown(instance, session) }];
  if (pathname === '/api/logout') {
    session.status = 'logged_out';
    return [200, { message: 'success logout', data: { instanceID: instance } }];
  }
  if (session.status === 'connected' || !hasCode) return refused(409, 'qrcode not ready');
  return [200, { message: 'scan qrcode', data: { instanceID: instance, status: 'qr', qr: '2@x', ...CODE } }];
};

/** wa-gateway over HTTP as far as this service asks it, with phones that scan at once. */
export const startFakeGateway = async () => {
  const sessions = new Map<string, Session>();
  const state: { mood: Mood; keys: unknown[]; asked: string[] } = { mood: 'answer', keys: [], asked: [] };
  /** By instance and id. */
  const groups = new Map<string, object>();
  const made = ({ instanceID = '', name = '' }: { instanceID?: string; name?: string }): FakeAnswer => {
    if (!sessions.has(instanceID)) sessions.set(instanceID, { status: 'qr', number: null, name });
    return [200, { message: 'device created', data: { instanceID } }];
  };
  const told = ({ pathname, query }: FakeRequest): FakeAnswer => {
    const instance = query.get('instanceID') ?? '';
    const session = sessions.get(instance);
    if (!session) return refused(404, 'device not found');
    if (pathname !== '/api/group/info') return ofDevice(instance, session, pathname, state.mood !== 'no-code');
    const group = groups.get(`${instance} ${query.get('group_id')}`);
    return group ? [200, { message: 'group info', data: group }] : refused(404, 'group not found');
  };
  const server = await startJsonServer((asked) => {
    state.keys.push(asked.headers['x-api-key']);
    state.asked.push(asked.pathname);
    if (state.mood === 'hang') return undefined;
    const answer = asked.pathname === '/api/new' ? made(asked.body as object) : told(asked);
    return MOODS[state.mood] ?? answer;
  });
  return {
    ...server,
    ...{ sessions, groups, state },
    scan: async (instance: string, number: string): Promise<void> => {
      Object.assign(sessions.get(instance) ?? {}, { status: 'connected', number: `${number}@s.whatsapp.net` });
    },
  };
};
