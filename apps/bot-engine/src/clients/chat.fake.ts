import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How it treats calls: `late` does what was asked and never answers. */
export type ChatMood = 'hang' | 'late' | number;

export interface FakeChat {
  readonly storeId: string;
  readonly instance: string;
  readonly nohp: string;
  status: 'open' | 'handle' | 'pending' | 'finish';
}

export interface SentByBot {
  readonly pesanId: string;
  readonly instance: string;
  readonly nohp: string;
  readonly content: { readonly text: string } | { readonly picture: string };
}

export interface AskedForHelp {
  readonly nohp: string;
  readonly instance: string;
  readonly alasan: string;
  readonly prioritas: string;
}

type Fields = Readonly<Record<string, string>>;
type Answer = readonly [number, object];

const TEAM = '3';
const ok = (message: string): Answer => [200, { result: true, message, data: {} }];
const no = (code: string): Answer => [200, { result: false, message: code, code }];
const invalid = (field: string): Answer => [
  422,
  {
    result: false,
    message: 'validation error',
    code: 'validation',
    errors: [{ field, tag: 'required', message: field }],
  },
];

/** chat-backend over HTTP, as far as the bot calls it: chats and what was sent in memory, one message for each `pesan_id`. */
class FakeChatBackend {
  readonly chats: FakeChat[] = [];
  readonly sent: SentByBot[] = [];
  readonly asked: AskedForHelp[] = [];
  /** What comes next, before calls are answered as they should be. */
  readonly moods: ChatMood[] = [];
  /** Tokens that calls came with, oldest first. */
  readonly tokens: string[] = [];

  /** Makes chats of devices it has not seen, so that a suite needs none. */
  constructor(private readonly options: { readonly anyChat: boolean }) {}

  answer(path: string, fields: Fields): Answer {
    const missing = ['nohp', 'instance', 'team'].find((name) => !fields[name]);
    if (missing) return invalid(missing);
    if (!this.options.anyChat && fields.team !== TEAM) return no('team_not_found');
    if (!this.options.anyChat && this.chats.every(({ instance }) => instance !== fields.instance))
      return no('device_not_found');
    const chat = this.chatOf(fields);
    if (!chat) return no('chat_not_found');
    if (path === '/v1/chats/request-escalate') return this.escalate(chat, fields);
    return this.send(chat, path, fields);
  }

  private chatOf({ nohp = '', instance = '' }: Fields): FakeChat | undefined {
    const found = this.chats.find((chat) => chat.nohp === nohp && chat.instance === instance);
    if (found || !this.options.anyChat) return found;
    const made: FakeChat = { storeId: '', instance, nohp, status: 'open' };
    this.chats.push(made);
    return made;
  }

  private send({ instance, nohp, status }: FakeChat, path: string, fields: Fields): Answer {
    const { pesan_id: pesanId = '', pesan, url, if_status: wanted } = fields;
    const text = path === '/v1/send_message';
    if (text ? !pesan : !/^https?:/.test(url ?? '')) return invalid(text ? 'pesan' : 'url');
    const stored = this.sent.find((each) => each.pesanId === pesanId && each.instance === instance);
    if (stored) return stored.nohp === nohp ? ok('success send message') : no('duplicate');
    if (wanted !== undefined && wanted !== status) return no('status_changed');
    this.sent.push({ pesanId, instance, nohp, content: text ? { text: pesan ?? '' } : { picture: url ?? '' } });
    return ok('success send message');
  }

  private escalate({ status, instance, nohp }: FakeChat, { alasan = '', prioritas = 'medium' }: Fields): Answer {
    if (!alasan) return invalid('alasan');
    if (status === 'finish') return no('chat_finished');
    const known = this.asked.some((each) => each.nohp === nohp && each.instance === instance);
    if (!known) this.asked.push({ nohp, instance, alasan, prioritas });
    return ok('success request escalate');
  }
}

const bodyOf = async (request: IncomingMessage): Promise<Fields> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return JSON.parse(Buffer.concat(chunks).toString()) as Fields;
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries([...form.entries()].map(([name, value]) => [name, String(value)]));
};

const serve = async (fake: FakeChatBackend, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const fields = await bodyOf(request);
  const token = request.headers.authorization?.replace('Bearer ', '');
  fake.tokens.push(token ?? '');
  const mood = fake.moods.shift();
  if (mood === 'hang') return;
  if (typeof mood === 'number') return void response.writeHead(mood).end();
  const unknown: Answer = [401, { status: 'error', message: 'Unauthenticated' }];
  const [status, body] = token ? fake.answer(request.url ?? '', fields) : unknown;
  if (mood === 'late') return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** chat-backend as this service sees it, for tests. `anyChat`: every chat is there, and open until told otherwise. */
export const startFakeChat = async ({ anyChat = true }: { readonly anyChat?: boolean } = {}) => {
  const fake = new FakeChatBackend({ anyChat });
  const server = createServer((request, response) => void serve(fake, request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};

export type RunningFakeChat = Awaited<ReturnType<typeof startFakeChat>>;
