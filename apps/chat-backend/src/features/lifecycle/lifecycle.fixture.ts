import { io, type Socket } from 'socket.io-client';
import { untilWaiting, type CallResult } from '@platform/testing';
import { startChat, type Chat, type StartOptions } from '../../chat.fixture';
import { documented } from '../sockets/sockets.fixture';

/** Beside the shops of the fixture: a supervisors' team, a warehouse, a second store's people, and twenty agents. */
const PEOPLE = `
  INSERT INTO teams (store_id, id, nama, kind) VALUES ('S1', '9', 'Supervisor', 'supervisor'), ('S1', 'G1', 'Gudang Timur', 'gudang'), ('S2', '8', 'Lain', 'cs');
  INSERT INTO users (store_id, user_id, nama) VALUES ('S1', 'u-boss', 'Boss'), ('S1', 'u-tono', 'Tono'), ('S2', 'u-lain', 'Lain');
  INSERT INTO users (store_id, user_id, nama) SELECT 'S1', 'agent-' || n, 'Agent ' || n FROM generate_series(1, 20) n;`;

export interface Ref {
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly chatId: string;
}

export interface Told {
  readonly name: string;
  readonly payload: {
    readonly op?: string;
    readonly version?: number;
    readonly chatId?: string;
    readonly chat_list?: Record<string, unknown>;
    readonly history?: { event: string }[];
  };
}

export interface Lifecycle extends Chat {
  readonly people: Record<'rina' | 'siti' | 'tono' | 'boss' | 'bot' | 'stranger', string>;
  /** A chat of a new customer, in this state. */
  newChat(state?: Record<string, unknown>): Promise<Ref>;
  row(ref: Ref): Promise<Record<string, unknown>>;
  /** Event names of the chat's history, oldest first; without `created`. */
  events(ref: Ref): Promise<string[]>;
  /** Makes one call after the other wait for the chat, in this order, then lets them go on. */
  inTurn(ref: Ref, ...calls: (() => Promise<CallResult>)[]): Promise<CallResult[]>;
  as(token: string, path: string, body: object | FormData): Promise<CallResult>;
  /** A connected client and what it heard. */
  listen(token: string): Promise<{ socket: Socket; heard: Told[]; join(ref: Ref): Promise<unknown> }>;
}

const STATUS = ['open', 'handle', 'pending', 'finish'];
let numbers = 0;

const peopleOf = ({ tokens: { tokenFor } }: Chat): Lifecycle['people'] => ({
  rina: tokenFor({ sub: 'u-rina' }),
  siti: tokenFor({ sub: 'u-siti' }),
  tono: tokenFor({ sub: 'u-tono', teams: ['4'] }),
  boss: tokenFor({ sub: 'u-boss', role: 'supervisor', teams: [] }),
  bot: tokenFor({ sub: 'svc:bot-engine', role: 'bot', typ: 'service+jwt', teams: [] }),
  stranger: tokenFor({ sub: 'u-lain', store_id: 'S2', role: 'owner', teams: [] }),
});

const chatMaker =
  (chat: Chat): Lifecycle['newChat'] =>
  async ({ status = 'open', ...state } = {}) => {
    const nohp = `62811${String(++numbers).padStart(7, '0')}`;
    await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
    const columns = { status: STATUS.indexOf(status as string), ...state };
    const sets = Object.keys(columns).map((name, index) => `${name} = $${index + 2}`);
    const [found] = await chat.database.query<{ id: string }>(
      `UPDATE conversations SET ${sets.join(', ')} WHERE nohp = $1 RETURNING store_id || '.' || id AS id`,
      [nohp, ...Object.values(columns)],
    );
    return { nohp, instance: 'dev1', team: '3', chatId: found?.id ?? '' };
  };

const listener =
  (chat: Chat, sockets: Socket[]): Lifecycle['listen'] =>
  async (token) => {
    const heard: Told[] = [];
    const socket = documented(io(chat.url, { auth: { token }, transports: ['websocket'], reconnection: false }));
    sockets.push(socket);
    socket.onAny((name: string, payload: Told['payload']) => void heard.push({ name, payload }));
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
    return { socket, heard, join: ({ chatId }) => socket.emitWithAck('chatJoin', { chatId }) as Promise<unknown> };
  };

const turns =
  ({ database }: Chat): Lifecycle['inTurn'] =>
  async ({ nohp }, ...calls) => {
    const answers: Promise<CallResult>[] = [];
    await database.tx(async (tx) => {
      await tx.query('SELECT 1 FROM conversations WHERE nohp = $1 FOR UPDATE', [nohp]);
      for (const call of calls) {
        answers.push(call());
        await untilWaiting(tx, ...answers);
      }
    });
    return Promise.all(answers);
  };

const EVENTS = `
  SELECT h.event FROM chat_histories h JOIN conversations c ON c.store_id = h.store_id AND c.id = h.conversation_id
  WHERE c.nohp = $1 AND h.event <> 'created' ORDER BY h.id`;

export const startLifecycle = async (options: StartOptions = {}): Promise<Lifecycle> => {
  const chat = await startChat(options);
  await chat.database.query(PEOPLE);
  const sockets: Socket[] = [];
  return {
    ...chat,
    people: peopleOf(chat),
    newChat: chatMaker(chat),
    row: async ({ nohp }) =>
      (await chat.database.query('SELECT * FROM conversations WHERE nohp = $1', [nohp]))[0] ?? {},
    events: async ({ nohp }) =>
      (await chat.database.query<{ event: string }>(EVENTS, [nohp])).map(({ event }) => event),
    as: (token, path, body) => chat.post(`/v1/${path}`, body, { token }),
    inTurn: turns(chat),
    listen: listener(chat, sockets),
    stop: async () => {
      for (const socket of sockets) socket.close();
      await chat.stop();
    },
  };
};
