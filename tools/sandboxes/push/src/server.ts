import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refused } from './message';
import { faults, MOST_BYTES, PushDesk, type Fault } from './push.desk';

export interface PushSandboxOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly appEnv?: string | undefined;
}

export interface PushSandbox extends Pick<PushDesk, 'browser' | 'fault' | 'messages' | 'shown'> {
  readonly url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MOST_READ = 64 * 1024;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_READ) chunks.push(chunk);
  }
  return size <= MOST_READ ? Buffer.concat(chunks) : Buffer.alloc(MOST_BYTES + 1);
};

const answer = (response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'x-sandbox': 'true', ...headers })
    .end(body === undefined ? undefined : JSON.stringify(body));

/** How it answers when it was told to refuse; false: it takes the message. */
const failed = (response: ServerResponse, fault: Fault): boolean => {
  if (fault === 'gone') answer(response, 410, { reason: 'SANDBOX: the browser is gone' });
  else if (fault === 'busy') answer(response, 429, { reason: 'SANDBOX: too many' }, { 'retry-after': '1' });
  else if (fault === 'error') answer(response, 503, { reason: 'SANDBOX: told to fail' });
  else if (fault === 'redirect') answer(response, 307, undefined, { location: '/push/elsewhere' });
  return fault !== 'none' && fault !== 'hang';
};

interface Wish {
  readonly application_server_key?: string;
  readonly mode?: Fault;
  readonly browser?: string;
}

const wishOf = (body: Buffer): Wish => {
  try {
    return JSON.parse(body.toString() || '{}') as Wish;
  } catch {
    throw new Refused(400, 'the body must be JSON');
  }
};

const setFault = (desk: PushDesk, { mode = 'none', browser }: Wish): object => {
  if (!faults.includes(mode)) throw new Refused(400, `mode must be one of ${faults.join(', ')}`);
  desk.fault(mode, browser);
  return { mode };
};

const controls: Readonly<Record<string, (desk: PushDesk, asked: { body: Buffer; browser: string | null }) => unknown>> =
  {
    'POST /__sandbox/browsers': (desk, { body }) => desk.browser(wishOf(body).application_server_key),
    'POST /__sandbox/fault': (desk, { body }) => setFault(desk, wishOf(body)),
    'GET /__sandbox/messages': ({ messages }, { browser }) =>
      browser === null ? messages : messages.filter((message) => message.browser === browser),
    'GET /__sandbox/shown': (desk, { browser }) => desk.shown(browser ?? ''),
  };

const handle = async (desk: PushDesk, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
  const body = await bodyOf(request);
  const control = controls[`${request.method} ${pathname}`];
  if (control) return answer(response, 200, control(desk, { body, browser: searchParams.get('browser') }));
  const [, browser] = /^\/push\/([\w-]{1,64})$/.exec(pathname) ?? [];
  if (request.method !== 'POST' || browser === undefined) throw new Refused(404, 'SANDBOX: no such path');
  const fault = desk.faultOf(browser);
  if (failed(response, fault)) return;
  desk.take({ browser, headers: request.headers, body });
  // It has the message, and whoever sent it never hears so
  if (fault === 'hang') return;
  answer(response, 201, undefined, { location: `/message/${desk.messages.length}` });
};

/** Starts the stand-in on 127.0.0.1. Throws in production. */
export const startPushSandbox = async ({ port, appEnv }: PushSandboxOptions): Promise<PushSandbox> => {
  if (appEnv === 'production')
    throw new Error('The push sandbox does not start with APP_ENV=production: browsers name real push services.');
  let url = '';
  const desk = new PushDesk(() => url);
  const server = createServer((request, response) => {
    handle(desk, request, response).catch((failure: unknown) => {
      const status = failure instanceof Refused ? failure.status : 500;
      answer(response, status, { reason: `SANDBOX: ${(failure as Error).message}` });
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  url = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    url,
    messages: desk.messages,
    browser: (sender) => desk.browser(sender),
    fault: (mode, browser) => desk.fault(mode, browser),
    shown: (browser) => desk.shown(browser),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
