import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { freePort, useRunning } from '@platform/testing';

export interface ReceivedCallback {
  /** Text parts in the order of the body. */
  readonly parts: [name: string, value: string][];
  readonly fields: Record<string, string>;
  readonly file?: { name: string; type: string; bytes: Buffer };
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export const accepted: Answer = { body: { result: true } };

const readBody = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Reads the form with the platform's own parser, which is not ours. */
const readCallback = async (raw: Buffer, headers: IncomingHttpHeaders): Promise<ReceivedCallback> => {
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData();
  const parts: [string, string][] = [];
  let file: ReceivedCallback['file'];
  for (const [name, value] of form)
    if (typeof value === 'string') parts.push([name, value]);
    else file = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  return { parts, fields: Object.fromEntries(parts), file, headers, raw };
};

/** Stands where the chat backend stands: answers as told, remembers every call in the order of arrival. */
export class Receiver {
  readonly calls: ReceivedCallback[] = [];
  /** Calls that were answered with 2xx. */
  readonly taken: ReceivedCallback[] = [];
  answer: (callback: ReceivedCallback) => Answer | Promise<Answer> = () => accepted;
  private readonly server: Server;
  private port = 0;

  constructor() {
    this.server = createServer(async (request, response) => {
      const callback = await readCallback(await readBody(request), request.headers);
      this.calls.push(callback);
      const { status = 200, body = '', headers = {} } = await this.answer(callback);
      if (status < 300) this.taken.push(callback);
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  async start(): Promise<this> {
    this.port = await freePort();
    await this.up();
    return this;
  }

  /** Nobody listens at the address until `up`. */
  down(): Promise<void> {
    return this.stop();
  }

  async up(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  reset(): void {
    this.calls.length = 0;
    this.taken.length = 0;
    this.answer = () => accepted;
  }

  messages(): ReceivedCallback[] {
    return this.taken.filter(({ fields }) => fields.report === 'false');
  }

  statuses(id: string): (string | undefined)[] {
    return this.taken
      .filter(({ fields }) => fields.report === 'true' && fields.id === id)
      .map(({ fields }) => fields.status);
  }
}

/** One that listens while the tests of the surrounding suite run. */
export const useReceiver = (): Receiver => useRunning(() => new Receiver().start());
