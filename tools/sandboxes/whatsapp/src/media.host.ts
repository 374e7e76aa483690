import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import type { SandboxMedia } from './sandbox.types';
import { makeTlsCertificate } from './tls.certificate';

/** Room for a 100 MB document and its padding. */
const MAX_BYTES = 101 * 1024 * 1024;

/** Stores the encrypted uploads of clients and serves them by path. */
export class MediaHost implements SandboxMedia {
  private readonly files = new Map<string, Buffer | URL | number>();
  private readonly holds = new Map<string, Promise<void>>();
  private readonly asked: string[] = [];
  private readonly server: Server;
  readonly ca: string;

  constructor() {
    const { key, certificate } = makeTlsCertificate();
    this.ca = certificate;
    this.server = createServer({ key, cert: certificate }, (request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get requests(): readonly string[] {
    return this.asked;
  }

  async start(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  store(bytes: Buffer, path = `/v/sandbox/${randomBytes(12).toString('hex')}.enc`): string {
    this.files.set(path, bytes);
    return path;
  }

  get(path: string): Buffer | undefined {
    const file = this.files.get(path);
    return file instanceof Buffer ? file : undefined;
  }

  redirect(path: string, to: string): void {
    this.files.set(path, new URL(to));
  }

  hold(path: string): () => void {
    let release = (): void => undefined;
    this.holds.set(path, new Promise((resolve) => (release = resolve)));
    return release;
  }

  refuse(path: string, status: number): void {
    this.files.set(path, status);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'https://sandbox');
    this.asked.push(`${request.method} ${pathname}`);
    response.setHeader('X-WhatsApp-Sandbox', '1');
    if (request.method === 'POST') {
      const path = this.store(await readAll(request));
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ url: `https://${this.host}${path}`, direct_path: path }));
      return;
    }
    const file = this.files.get(pathname);
    if (file === undefined || typeof file === 'number') response.writeHead(file ?? 404).end();
    else if (file instanceof URL) response.writeHead(302, { Location: file.href }).end();
    else {
      const half = Math.floor(file.length / 2);
      response.writeHead(200, { 'Content-Length': file.length }).write(file.subarray(0, half));
      await this.holds.get(pathname);
      response.end(file.subarray(half));
    }
  }
}

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`An upload is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
