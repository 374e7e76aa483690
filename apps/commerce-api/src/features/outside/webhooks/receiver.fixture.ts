import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { startHttpServer, type TestServer } from '@platform/testing';

export interface ReceivedNews {
  readonly path: string;
  readonly eventId: string;
  readonly event: string;
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
}

export type Answer = (news: ReceivedNews, response: ServerResponse) => void;

export interface Receiver extends TestServer {
  readonly news: ReceivedNews[];
  /** How it answers at a path; 204 until told. */
  at(path: string, answer: Answer): void;
}

const header = (value: string | string[] | undefined): string => String(value ?? '');

export const taking: Answer = (_, response) => void response.writeHead(204).end();
export const failing: Answer = (_, response) => void response.writeHead(500).end('no');
export const hanging: Answer = () => undefined;

/** Whether the sender knew the secret, as the documentation says to check it. */
export const isSigned = (secret: string, { timestamp, body, signature }: ReceivedNews): boolean =>
  createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex') === signature;

/** The program of a merchant that hears of their store. */
export const startReceiver = async (): Promise<Receiver> => {
  const news: ReceivedNews[] = [];
  const answers = new Map<string, Answer>();
  const server = await startHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url: path = '' } = request;
      const body = Buffer.concat(chunks).toString();
      const told = {
        ...{ path, body, eventId: header(headers['x-event-id']), event: (JSON.parse(body) as { event: string }).event },
        ...{ timestamp: header(headers['x-timestamp']), signature: header(headers['x-signature']) },
      };
      news.push(told);
      (answers.get(path) ?? taking)(told, response);
    });
  });
  return { ...server, news, at: (path, answer) => void answers.set(path, answer) };
};
