import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createMessage } from './anthropic.endpoint';
import { chatCompletion } from './completions.endpoint';
import { createEmbeddings } from './embeddings.endpoint';
import { FaultSwitch, isModelFault, slownessOf, throwErrorFault, type Fault } from './faults';
import { isRecord, parseJson, textAt, type Json } from './json.reader';
import { listModels, showModel } from './models.endpoint';
import { RequestLog, type ReceivedRequest } from './request.log';
import { createTranscription, readForm } from './speech.endpoint';
import { eventText, type WireAnswer } from './wire.answer';
import { anthropicError, openaiError, WireError } from './wire.errors';

export interface SandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** 127.0.0.1 by default: the sandbox is for this machine. */
  readonly host?: string;
}

export interface Sandbox {
  /** Without a path: OpenAI clients want `${url}/v1`, Anthropic clients `url`. */
  readonly url: string;
  /** The last 1,000 requests under /v1, oldest first, without credentials. */
  readonly requests: readonly ReceivedRequest[];
  /** Also ends hanging and stalled answers. */
  close(): Promise<void>;
}

/** Four pictures of 5 MB in base64 fit. */
const BODY_LIMIT = 40 * 1024 * 1024;

/** Starts the rule-based stand-in for a language model provider. Rejects when the port is taken. */
export const startSandbox = async ({ port, host = '127.0.0.1' }: SandboxOptions): Promise<Sandbox> => {
  const log = new RequestLog();
  const faults = new FaultSwitch();
  let served = 0;
  const server = createServer((request, response) => {
    served += 1;
    void new Exchange(request, response, `req_sandbox_${served}`).serve(log, faults);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    requests: log.requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** One request and its answer. */
class Exchange {
  private readonly path: string;
  private readonly started = performance.now();
  private size = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly id: string,
  ) {
    this.path = new URL(request.url ?? '/', 'http://sandbox').pathname;
    response.setHeader('X-Sandbox', 'true');
    response.setHeader('x-request-id', id);
    response.setHeader('request-id', id);
  }

  async serve(log: RequestLog, faults: FaultSwitch): Promise<void> {
    try {
      if (this.path === '/__sandbox/requests') return this.control(log, faults);
      const body = await this.readBody();
      this.authenticate();
      if (this.path.startsWith('/v1/')) log.add(this.request, this.path, body, this.size);
      const fault = this.request.method === 'POST' ? faults.next(textAt(body, 'model') ?? '') : undefined;
      await this.pause(slownessOf(textAt(body, 'model') ?? ''));
      throwErrorFault(fault);
      if (!this.breaks(fault)) this.send(this.answer(body, fault));
    } catch (error) {
      this.fail(
        error instanceof WireError ? error : new WireError(500, 'server', `The sandbox failed: ${String(error)}`),
      );
    }
  }

  private answer(body: Json, fault: Fault | undefined): WireAnswer {
    const wrong = isModelFault(fault) ? fault : undefined;
    switch (`${this.request.method} ${this.path}`) {
      case 'POST /v1/chat/completions':
        return chatCompletion(body, wrong);
      case 'POST /v1/messages':
        return createMessage(body, wrong);
      case 'POST /v1/embeddings':
        return createEmbeddings(body);
      case 'POST /v1/audio/transcriptions':
        return createTranscription(body, wrong === 'empty');
      case 'GET /v1/models':
        return listModels();
    }
    const model = /^\/v1\/models\/([^/]+)$/.exec(this.path)?.[1];
    if (this.request.method === 'GET' && model) return showModel(decodeURIComponent(model));
    throw new WireError(
      404,
      'path',
      `Unknown request URL: ${this.request.method} ${this.path}. This sandbox serves chat/completions, messages, embeddings, audio/transcriptions and models under /v1.`,
    );
  }

  /** Until then, or until nobody waits for the answer any more. */
  private async pause(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    const gone = new AbortController();
    this.response.once('close', () => gone.abort());
    await delay(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined);
  }

  /** Accepts any key, except those that contain `invalid`, so that clients can test a refusal. */
  private authenticate(): void {
    const { authorization, 'x-api-key': header } = this.request.headers;
    const key = String(header ?? authorization?.replace(/^Bearer\s+/i, '') ?? '');
    if (key === '')
      throw new WireError(401, 'auth', 'No API key was sent. Send any key: Authorization: Bearer <key>, or x-api-key.');
    if (key.includes('invalid'))
      throw new WireError(401, 'auth', 'Incorrect API key provided: the sandbox refuses keys that contain "invalid".');
  }

  /** Misbehaves on the transport. True when this exchange needs no further answer. */
  private breaks(fault: Fault | undefined): boolean {
    if (fault === 'html')
      this.response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><body><h1>502 Bad Gateway</h1></body></html>');
    if (fault === 'stall') this.response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    return fault === 'html' || fault === 'stall' || fault === 'hang';
  }

  private send(answer: WireAnswer): void {
    this.response.setHeader('openai-processing-ms', (performance.now() - this.started).toFixed(1));
    if ('json' in answer) return this.json(200, answer.json);
    if ('text' in answer) return void this.response.writeHead(200, { 'content-type': 'text/plain' }).end(answer.text);
    this.response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    for (const event of answer.events) this.response.write(eventText(event));
    this.response.end();
  }

  private fail(error: WireError): void {
    if (error.details.retryAfterSeconds !== undefined)
      this.response.setHeader('Retry-After', String(error.details.retryAfterSeconds));
    const anthropic = 'anthropic-version' in this.request.headers || this.path === '/v1/messages';
    this.json(error.status, anthropic ? anthropicError(error, this.id) : openaiError(error));
  }

  private json(status: number, body: unknown): void {
    this.response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  /** For tests in other processes: GET reads the requests, DELETE forgets them and restarts the fault counters. */
  private control(log: RequestLog, faults: FaultSwitch): void {
    if (this.request.method === 'DELETE') {
      log.clear();
      faults.reset();
    }
    this.json(200, { requests: log.requests });
  }

  private async readBody(): Promise<Json> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.request as AsyncIterable<Buffer>) {
      this.size += chunk.length;
      if (this.size > BODY_LIMIT) throw new WireError(413, 'invalid', 'The request body is above 40 MB.');
      chunks.push(chunk);
    }
    if (this.request.method !== 'POST') return {};
    const type = this.request.headers['content-type'] ?? '';
    if (type.startsWith('multipart/form-data')) return readForm(Buffer.concat(chunks), type);
    const body = parseJson(Buffer.concat(chunks).toString('utf8'));
    if (!isRecord(body)) throw new WireError(400, 'invalid', 'The request body is not a JSON object.');
    return body;
  }
}
