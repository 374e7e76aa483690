import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccountOptions, DisconnectCause, Faults, Injected, WhatsAppSandbox } from './sandbox.types';

type Route = (sandbox: WhatsAppSandbox, body: unknown) => unknown;

/** Bodies are trusted: a caller on loopback may do what a test may. */
const routes: Readonly<Record<string, Route>> = {
  'GET /trust': ({ socketUrl, rootKey, mediaHost, mediaCa }) => ({ socketUrl, rootKey, mediaHost, mediaCa }),
  'GET /state': (sandbox) => sandbox.state(),
  'POST /scan': async (sandbox, body) => {
    const { qr, ...who } = body as { qr: string; number: string } & AccountOptions;
    await sandbox.scan(qr, who);
  },
  'POST /code': async (sandbox, body) => {
    const { code, ...who } = body as { code: string; number: string } & AccountOptions;
    await sandbox.enterCode(code, who);
  },
  'POST /accounts': (sandbox, body) => {
    const { number, ...options } = body as { number: string } & AccountOptions;
    sandbox.account(number, options);
  },
  'POST /inject': (sandbox, body) => sandbox.inject(body as Injected),
  'POST /faults': (sandbox, body) => {
    const { number, ...change } = body as { number?: string } & Partial<Faults>;
    sandbox.faults(change, number);
  },
  'POST /disconnect': (sandbox, body) => {
    const { number, cause } = body as { number: string; cause: DisconnectCause };
    return sandbox.disconnect(number, cause);
  },
};

const read = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : {};
};

const respond = async (sandbox: WhatsAppSandbox, request: IncomingMessage): Promise<[number, unknown]> => {
  const route = routes[`${request.method} ${request.url?.split('?')[0]}`];
  if (!route) return [404, { error: `Routes: ${Object.keys(routes).join(', ')}.` }];
  try {
    return [200, (await route(sandbox, await read(request))) ?? {}];
  } catch (error) {
    return [400, { error: error instanceof Error ? error.message : String(error) }];
  }
};

export const answerAdmin = (sandbox: WhatsAppSandbox, request: IncomingMessage, response: ServerResponse): void => {
  void respond(sandbox, request).then(([status, body]) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-WhatsApp-Sandbox': '1' });
    response.end(JSON.stringify(body));
  });
};
