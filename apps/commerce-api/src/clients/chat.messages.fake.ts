import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as chat-backend is given it. */
export interface SentMessage {
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly type: string;
  readonly pesan: string;
  readonly pesan_id: string;
}

interface Listed {
  readonly search?: string;
}

const LONGEST = 4096;

/** The chat list and the express send of chat-backend over HTTP, of a store that has chatted with `regular` and lastly with somebody else. */
export const startFakeMessages = async (regular = '628120000009') => {
  const sent = new Map<string, SentMessage>();
  const state: { mood: 'answer' | 'down' | 'silent-store' } = { mood: 'answer' };
  const listed = ({ search }: Listed): object[] => {
    if (state.mood === 'silent-store') return [];
    if (search === undefined) return [{ instance: 'dev1', team: '3' }];
    return search === regular ? [{ instance: 'dev2', team: '7' }] : [];
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const answer = (status: number, body: object) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        if (state.mood === 'down') return void answer(502, {});
        const body = JSON.parse(Buffer.concat(chunks).toString()) as SentMessage & Listed;
        if (request.url === '/v1/chat_list')
          return void answer(200, { result: true, message: 'success', data: listed(body) });
        if (request.url !== '/v1/send_express')
          return void answer(200, { result: true, message: 'success', data: { applied: 0, skipped: 0 } });
        if (body.pesan.length > LONGEST)
          return void answer(422, { result: false, message: 'pesan', code: 'validation' });
        // The first message of an id is the one that is sent
        if (!sent.has(body.pesan_id)) sent.set(body.pesan_id, body);
        answer(200, { result: true, message: 'success send message', data: {} });
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    /** Those that reached somebody, in order. */
    messages: (): SentMessage[] => [...sent.values()],
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
