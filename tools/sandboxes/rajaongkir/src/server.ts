import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { classic } from './classic';
import { Desk, type Asked, type Fault, type Told } from './desk';
import { komerce } from './komerce';
import type { Waybill } from './waybills';

export interface RajaOngkirOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly keys: readonly string[];
  /** Requests until the quota is set anew. */
  readonly dailyQuota?: number;
  readonly appEnv?: string | undefined;
}

export interface RajaOngkirSandbox {
  readonly url: string;
  readonly desk: Desk;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MOST_BYTES = 64 * 1024;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const controls: Readonly<Record<string, (desk: Desk, body: string) => unknown>> = {
  'GET /__sandbox/requests': ({ requests }) => requests,
  'POST /__sandbox/waybills': ({ waybills }, body) => {
    const waybill = JSON.parse(body) as Waybill;
    waybills.set(waybill.waybill.toUpperCase(), waybill);
    return waybill;
  },
  'POST /__sandbox/quota': (desk, body) => {
    desk.left = (JSON.parse(body) as { left: number }).left;
    return { left: desk.left };
  },
  'POST /__sandbox/fault': (desk, body) => {
    desk.fault = (JSON.parse(body) as { mode: Fault }).mode;
    return { mode: desk.fault };
  },
};

const provider = (desk: Desk, asked: Asked): Told | string => {
  const { method, path, query, form } = asked;
  desk.requests.push({ method, path, body: Object.fromEntries([...query, ...form]) });
  if (desk.fault === 'error') return { status: 500, body: { message: 'SANDBOX: told to fail' } };
  if (desk.fault === 'nonsense') return '<html>SANDBOX: told to talk nonsense</html>';
  return komerce(desk, asked) ?? classic(desk, asked) ?? { status: 404, body: { message: 'SANDBOX: no such path' } };
};

const answered = async (desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = 'GET', url = '/', headers } = request;
  const { pathname: path, searchParams: query } = new URL(url, 'http://sandbox');
  const body = await bodyOf(request);
  const send = ({ status, body: told }: Told) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-sandbox': 'true' })
      .end(typeof told === 'string' ? told : JSON.stringify(told));
  const control = controls[`${method} ${path}`];
  if (control) return void send({ status: 200, body: control(desk, body) });
  const key = typeof headers.key === 'string' ? headers.key : undefined;
  const told = provider(desk, { method, path, query, form: new URLSearchParams(body), key });
  if (desk.fault === 'hang') return;
  send(typeof told === 'string' ? { status: 200, body: told } : told);
};

/** Starts the local stand-in for RajaOngkir, in both of its dialects. Rejects a taken port, and `appEnv` production. */
export const startRajaOngkirSandbox = async (options: RajaOngkirOptions): Promise<RajaOngkirSandbox> => {
  const { port, keys, dailyQuota = 100_000, appEnv } = options;
  if (appEnv === 'production')
    throw new Error(
      'The RajaOngkir sandbox does not start with APP_ENV=production: set SHIP_A_BASE_URL to the provider.',
    );
  const desk = new Desk(keys, dailyQuota);
  const server = createServer((request, response) => {
    answered(desk, request, response).catch((error: unknown) =>
      response.writeHead(400, { 'x-sandbox': 'true' }).end(`SANDBOX: ${String(error)}`),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    desk,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
