import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as chat-backend is given it. */
export interface SentMessage {
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly type: string;
  readonly pesan?: string;
  readonly caption?: string;
  readonly filename?: string;
  /** A data URI. */
  readonly file?: string;
  readonly pesan_id: string;
}

interface Listed {
  readonly search?: string;
}

const LONGEST = 4096;

type Answer = (url: string | undefined, body: SentMessage & Listed) => [number, object] | undefined;

/** A server that answers JSON; what `answerTo` leaves undefined gets no answer at all. */
const listening = (answerTo: Answer): Server =>
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString()) as SentMessage & Listed;
        const [status, body] = answerTo(request.url, asked) ?? [];
        if (status !== undefined)
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
  }).listen(0, '127.0.0.1');

/** The chat list and the express send of chat-backend over HTTP, of a store that has chatted with `regular` and lastly with somebody else. */
export const startFakeMessages = async (regular = '628120000009') => {
  const sent = new Map<string, SentMessage>();
  const state: {
    mood: 'answer' | 'down' | 'hang' | 'silent-store';
    /** Those of messages: what a shop keeps in step with chat-backend comes at moments of its own. */
    calls: number;
    /** Codes by instance: what it refuses to send by that. */
    refuses: Record<string, string>;
  } = { mood: 'answer', calls: 0, refuses: {} };
  const listed = ({ search }: Listed): object[] => {
    if (state.mood === 'silent-store') return [];
    if (search === undefined) return [{ instance: 'dev1', team: '3' }];
    return search === regular ? [{ instance: 'dev2', team: '7' }] : [];
  };
  const answerTo: Answer = (url, body) => {
    if (url?.startsWith('/v1/')) state.calls += 1;
    if (state.mood === 'hang') return undefined;
    if (state.mood === 'down') return [502, {}];
    if (url === '/v1/chat_list') return [200, { result: true, message: 'success', data: listed(body) }];
    if (url !== '/v1/send_express')
      return [200, { result: true, message: 'success', data: { applied: 0, skipped: 0 } }];
    if ((body.pesan ?? '').length > LONGEST) return [422, { result: false, message: 'pesan', code: 'validation' }];
    // A refusal of the business is 200 on `/v1`
    const code = state.refuses[body.instance];
    if (code !== undefined) return [200, { result: false, message: code, code }];
    // The first message of an id is the one that is sent
    if (!sent.has(body.pesan_id)) sent.set(body.pesan_id, body);
    return [200, { result: true, message: 'success send message', data: {} }];
  };
  const server = listening(answerTo);
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
