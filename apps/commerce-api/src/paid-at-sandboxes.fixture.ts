import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDokuSandbox, startDuitkuSandbox, startXenditSandbox, type RunningTill } from '@platform/testing/gateways';
import { until, useRunning } from '@platform/testing';
import { startCommerce, type Commerce } from './commerce.fixture';
import type { GatewayCode } from './features/gateways/port';

const DOKU = { client_id: 'MCH-0001', secret: 'canary-secret-a' };
const XENDIT = { key: 'canary-key-b', callback_token: 'canary-token-b' };
const DUITKU = { merchant: 'DS12345', key: 'canary-key-c' };

/** Of one connection, not of the message. */
const HOPS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']);

const read = async (body: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Where providers find the shop before it has an address: an ingress, below a path that the shop does not see. */
const startIngress = async () => {
  let target = '';
  const server: Server = createServer((request, response) => {
    void read(request).then(async (body) => {
      const headers = Object.entries(request.headers as Record<string, string>).filter(([name]) => !HOPS.has(name));
      const path = (request.url ?? '').replace('/shop', '');
      const answer = await fetch(target + path, { method: 'POST', headers, body: new Uint8Array(body) });
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`,
    leadsTo: (url: string) => void (target = url),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export interface PaidAtSandboxes extends Commerce {
  readonly commerce: Commerce;
  readonly tills: Readonly<Record<GatewayCode, RunningTill>>;
}

const startAll = async (more: Readonly<Record<string, string>>): Promise<PaidAtSandboxes> => {
  const ingress = await startIngress();
  // A minute of the ladder is nothing: what is refused is told again at once, and given up
  const ladder = { port: 0, minuteMs: 0 };
  const tills: Readonly<Record<GatewayCode, RunningTill>> = {
    a: await startDokuSandbox({ ...ladder, accounts: [DOKU] }),
    b: await startXenditSandbox({ ...ladder, accounts: [XENDIT], noticeUrl: `${ingress.url}/api/pay_b/webhook` }),
    c: await startDuitkuSandbox({ ...ladder, accounts: [DUITKU] }),
  };
  const commerce: Commerce = await startCommerce(
    {
      ...{ PAY_A_BASE_URL: tills.a.url, PAY_A_CLIENT_ID: DOKU.client_id, PAY_A_SECRET: DOKU.secret },
      ...{ PAY_A_PUBLIC_URL: ingress.url, PAY_C_PUBLIC_URL: ingress.url, PAY_B_CONFIRM: 'true' },
      ...{ PAY_B_BASE_URL: tills.b.url, PAY_B_KEY: XENDIT.key, PAY_B_CALLBACK_TOKEN: XENDIT.callback_token },
      ...{ PAY_C_BASE_URL: tills.c.url, PAY_C_MERCHANT: DUITKU.merchant, PAY_C_KEY: DUITKU.key, ...more },
    },
    new Date().toISOString(),
  );
  ingress.leadsTo(commerce.url);
  const stop = async () => {
    await Promise.all(Object.values(tills).map((till) => till.close()));
    await commerce.stop();
    await ingress.stop();
  };
  return { ...commerce, commerce, tills, stop };
};

/** The service with the clients of production, on servers that speak the wire formats of the providers and tell it what was paid. */
export const usePaidAtSandboxes = (more: Readonly<Record<string, string>> = {}): PaidAtSandboxes =>
  useRunning(() => startAll(more));

/** Until a provider has delivered what it has to tell. */
export const toldAll = ({ till }: RunningTill): Promise<unknown> =>
  until(() => till.sender.rows.every(({ dueAt }) => dueAt === null));
