import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@platform/postgres';
import { SCALE, type PipelineEvent } from './gateway-rules.types';

export const faults = [
  'none',
  'down for 60 s',
  '5 % answer 500',
  'one chat fails',
  'answers take 2 s',
  'kill -9, answers take 2 s',
] as const;
export type Fault = (typeof faults)[number];

const FAILING_CHAT = '628120000000';
const ID = /name="id"\r\n\r\n([^\r]*)/;
const NUMBER = /name="number"\r\n\r\n([^@\r]*)/;

/** A fake chat-backend that misbehaves as told and records what it accepted, and when. */
export class FaultyReceiver {
  /** In the order of acceptance, including duplicates. */
  readonly taken: { readonly event: PipelineEvent; readonly at: number }[] = [];
  private readonly server: Server;
  private port = 0;
  private random = 1;

  constructor(private readonly fault: Fault) {
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('latin1');
      await this.answer({ id: ID.exec(body)?.[1] ?? '', chat: NUMBER.exec(body)?.[1] ?? '' }, response);
    });
    this.server.keepAliveTimeout = 60_000;
  }

  /** Whether a receiver with this fault ever accepts the event. */
  static takes(fault: Fault, { chat }: PipelineEvent): boolean {
    return fault !== 'one chat fails' || chat !== FAILING_CHAT;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  async start(): Promise<void> {
    this.port ||= await freePort();
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Refuses connections for a scaled minute. */
  async outage(): Promise<void> {
    await this.stop();
    await pause(60_000 * SCALE);
    await this.start();
  }

  private async answer(event: PipelineEvent, response: ServerResponse): Promise<void> {
    if (this.fault.endsWith('answers take 2 s')) await pause(2_000 * SCALE);
    if (!FaultyReceiver.takes(this.fault, event) || (this.fault === '5 % answer 500' && this.chance() < 0.05))
      return void response.writeHead(500).end();
    this.taken.push({ event, at: performance.now() });
    response.setHeader('Content-Type', 'application/json').end('{"result":true}');
  }

  /** Park and Miller's generator: the same failures in every run. */
  private chance(): number {
    this.random = (this.random * 48_271) % 2_147_483_647;
    return this.random / 2_147_483_647;
  }
}
