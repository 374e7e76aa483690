import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { controlled, type Controlled } from './controls';
import { Faults, type Down } from './faults';
import { Journal } from './journal';
import { jsonObject } from './json';
import { NoticeSender } from './notice.sender';
import { missingPage, PAGE_POLICY, payPage } from './page';
import { Till } from './till';
import { ControlError, Refused, type Answer, type Call, type Provider } from './till.types';

export interface TillOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Where its state is kept; without it, it ends with the process. */
  readonly stateFile?: string | undefined;
  /** What the provider calls a minute, in its ladder of retries; 60,000 by default. */
  readonly minuteMs?: number | undefined;
  /** How long one notice waits for an answer. */
  readonly noticeTimeoutMs?: number | undefined;
  readonly appEnv?: string | undefined;
}

export interface RunningTill {
  readonly url: string;
  readonly till: Till;
  readonly faults: Faults;
  /** Ends notices and hanging answers, too; what is kept stays. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const BODY_LIMIT = 1024 * 1024;
const HUGE = 5 * 1024 * 1024;
const SWEEP_MS = 1_000;

const readBody = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Refused({ status: 413, json: { message: 'The body is above 1 MB' } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const html = (response: ServerResponse, status: number, text: string): void =>
  void response
    .writeHead(status, {
      ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
      ...{ 'content-security-policy': PAGE_POLICY, 'x-content-type-options': 'nosniff' },
    })
    .end(text);

const json = (response: ServerResponse, { status, json: body, headers = {} }: Answer): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const failed = (thrown: unknown): Answer => {
  if (thrown instanceof Refused) return thrown.answer;
  if (thrown instanceof ControlError) return { status: 400, json: { error: thrown.message } };
  return { status: 500, json: { message: `The sandbox failed: ${String(thrown)}` } };
};

/** How a provider that is down answers; `hang` never does, until the sandbox closes. */
const BROKEN: Readonly<Record<Down, (response: ServerResponse) => void>> = {
  refuse: (response) => void response.destroy(),
  lost: (response) => void response.destroy(),
  hang: () => undefined,
  error: (response) => json(response, { status: 503, json: { message: 'SERVICE UNAVAILABLE' } }),
  html: (response) => html(response, 200, '<html><body><h1>502 Bad Gateway</h1></body></html>'),
  garbage: (response) => json(response, { status: 200, json: { message: ['SUCCESS'], data: null } }),
  huge: (response) => json(response, { status: 200, json: { filler: 'x'.repeat(HUGE) } }),
};

class Exchange {
  constructor(
    private readonly all: Controlled,
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  async serve(): Promise<void> {
    const { method = 'GET', headers, url = '/' } = this.request;
    const [path = '/', search = ''] = url.split('?', 2);
    const call = { method, path, query: new URLSearchParams(search), headers, raw: await readBody(this.request) };
    const [, first, second = ''] = path.split('/');
    if (first === '__sandbox') return this.control(call, second);
    if (first === 'pay') return this.page(call, second);
    return this.provide(call);
  }

  private control({ method, raw }: Call, verb: string): void {
    const body = raw.length === 0 ? {} : jsonObject(raw);
    if (!body) throw new ControlError('the body is a JSON object');
    const result = controlled(this.all, method, verb, body);
    const unknown = { status: 404, json: { error: `no control route ${method} ${verb}` } };
    json(this.response, result === undefined ? unknown : { status: 200, json: result });
  }

  private page({ method, path, raw }: Call, id: string): void {
    const { till, provider } = this.all;
    const payment = till.payment(id);
    if (!payment) return html(this.response, 404, missingPage(provider.name));
    if (method !== 'POST') return html(this.response, 200, payPage(provider.name, payment));
    const action = new URLSearchParams(raw.toString('utf8')).get('action');
    if (payment.status === 'pending' || payment.status === 'failed') {
      if (action === 'pay') till.pay(payment);
      if (action === 'wrong') till.pay(payment, { amount: payment.amount - 1 });
      if (action === 'fail') till.fail(payment);
      if (action === 'expire') till.expire(payment);
    }
    this.response.writeHead(303, { location: path }).end();
  }

  private async provide(call: Call): Promise<void> {
    const { faults, provider } = this.all;
    const down = faults.takeDown(call);
    if (down !== undefined && down !== 'lost') return BROKEN[down](this.response);
    const answer = this.answer(call) ?? { status: 404, json: { message: `${provider.name} has no such route` } };
    if (down !== undefined) return BROKEN[down](this.response);
    const ms = faults.takeDelay(call);
    if (ms > 0) await pause(ms, undefined, { ref: false });
    if (!this.response.destroyed) json(this.response, answer);
  }

  private answer(call: Call): Answer | undefined {
    try {
      return this.all.provider.serve(call);
    } catch (thrown) {
      return failed(thrown);
    }
  }
}

/** Starts the till of one provider. It is for this machine only: rejects `appEnv` production. */
export const startTill = async (options: TillOptions, providerOf: (till: Till) => Provider): Promise<RunningTill> => {
  const { port, stateFile, minuteMs = 60_000, noticeTimeoutMs: timeoutMs = 30_000, appEnv } = options;
  const parts: { sender?: NoticeSender; provider?: Provider } = {};
  const server = createServer((request, response) => {
    response.setHeader('X-Sandbox', 'true');
    new Exchange(all, request, response).serve().catch((thrown: unknown) => {
      if (response.headersSent) response.destroy();
      else json(response, failed(thrown));
    });
  });
  const origin = () => `http://${HOST}:${(server.address() as AddressInfo).port}`;
  const till = new Till(new Journal(stateFile), origin, () => parts as Required<typeof parts>);
  const provider = providerOf(till);
  if (appEnv === 'production')
    throw new Error(`The ${provider.name} sandbox does not start with APP_ENV=production: nobody pays at it.`);
  const all: Controlled = { till, faults: new Faults(), provider };
  Object.assign(parts, { provider, sender: new NoticeSender(provider, till.journal, { minuteMs, timeoutMs }) });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  const sweep = setInterval(() => till.expireDue(), SWEEP_MS).unref();
  const close = async () => {
    clearInterval(sweep);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await Promise.all([closed, till.sender.close()]);
  };
  return { url: origin(), till, faults: all.faults, close };
};
