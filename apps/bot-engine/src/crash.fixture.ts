import { uuidv7 } from '@platform/runtime';
import {
  caller,
  startLlmSandbox,
  startProgram,
  until,
  useDatabase,
  useOpened,
  useRunning,
  type TestDatabase,
} from '@platform/testing';
import { question, seed, TABLES } from './app.fixture';
import { startFakeChat, type RunningFakeChat } from './clients/chat.fake';
import { startKeyServer } from './key-server.fixture';

/** Long enough for a turn that is not disturbed, short enough to wait for its end. */
const LEASE_MS = '2000';

export type Question = ReturnType<typeof question>;

export interface Answer {
  readonly status: number;
  readonly said: string;
  /** Text, or address of a picture, by outbound id. */
  readonly messages: Readonly<Record<string, string>>;
  readonly replayed: boolean;
}

export interface Run {
  readonly id: string;
  readonly status: string;
  readonly merged: readonly string[];
  readonly messages: Readonly<Record<string, string>>;
}

const byId = (ids: readonly string[], texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id, n) => [id, texts[n] ?? '']));

/** Asks as chat-backend does, once: what cannot be reached is status 0. */
const asker =
  (token: string) =>
  async (url: string, sent: Question): Promise<Answer> => {
    const asked = caller(url)('/api/chatbot-api', { token, body: sent });
    const answered = await asked.catch(() => undefined);
    if (!answered) return { status: 0, said: '', messages: {}, replayed: false };
    const { status, body, headers } = answered;
    const { data } = body as { data?: { answer: string[]; images: string[] } };
    const ids = headers.get('x-bot-message-ids')?.split(',') ?? [];
    return {
      ...{ status, said: headers.get('x-bot-status') ?? '' },
      messages: byId(ids, [...(data?.answer ?? []), ...(data?.images ?? [])]),
      replayed: headers.get('x-bot-replayed') === 'true',
    };
  };

interface Row {
  readonly id: string;
  readonly status: string;
  readonly merged: string[];
  readonly reply: { readonly answer: string[]; readonly images: string[]; readonly messageIds: string[] };
}

/** Runs that ended, of one customer, in order. */
const runsIn =
  (database: TestDatabase) =>
  async (customer: string): Promise<Run[]> => {
    const rows = await database.query<Row>(
      `SELECT r.id, r.status, r.merged_ids AS merged, r.reply FROM bot_runs r
       JOIN bot_conversations c ON c.store_id = r.store_id AND c.id = r.conv_id
       WHERE c.id_user = $1 AND r.status IN ('done', 'fallback', 'handover') ORDER BY r.created_at, r.id`,
      [customer],
    );
    return rows.map(({ reply, ...run }) => ({
      ...run,
      messages: byId(reply.messageIds, [...reply.answer, ...reply.images]),
    }));
  };

/** What has reached customers, by outbound id: from answers and from pushes. */
class Received {
  private readonly messages = new Map<string, string>();

  constructor(private readonly chat: RunningFakeChat) {}

  /** An id whose text changes would be a second answer. */
  store(messages: Readonly<Record<string, string>>): void {
    for (const [id, text] of Object.entries(messages)) {
      expect({ id, text: this.messages.get(id) ?? text }).toEqual({ id, text });
      this.messages.set(id, text);
    }
  }

  all(): Record<string, string> {
    for (const { pesanId, content } of this.chat.sent)
      this.store({ [pesanId]: 'text' in content ? content.text : content.picture });
    return Object.fromEntries(this.messages);
  }

  /** Waits until everything that the runs say is there. */
  async of(runs: readonly Run[]): Promise<void> {
    const ids = runs.flatMap((run) => Object.keys(run.messages));
    await until(
      () => this.all(),
      (messages) => ids.every((id) => id in messages),
    );
  }
}

/** Processes of the bot that are killed, with everything around them, and what customers have got in the end. */
export const useCrashes = (shops: readonly object[]) => {
  const database = useDatabase(TABLES);
  const llm = useRunning(() => startLlmSandbox({ port: 0 }));
  const keys = useRunning(startKeyServer);
  const chat = useRunning(() => startFakeChat());
  const opened = useOpened();
  const received = new Received(chat);
  beforeAll(async () => {
    for (const shop of shops) await seed(database.url, shop);
  });

  const env = () => ({
    ...{ APP_ENV: 'test', DATABASE_URL: database.url, STORE_AUTH_URL: keys.url, SERVICE_CLIENT_SECRET: 'test' },
    ...{ LLM_BASE_URL: `${llm.url}/v1`, CHAT_URL: chat.url, PORT: '0', HOST: '127.0.0.1' },
    ...{ BOT_WINDOW_MS: '0', BOT_LEASE_MS: LEASE_MS },
  });
  const start = async (more: Readonly<Record<string, string>> = {}) =>
    opened(await startProgram({ main: 'apps/bot-engine/src/main.ts', env: { ...env(), ...more } }));
  const ask = async ({ url }: { url: string }, sent: Question): Promise<Answer> => {
    const answer = await asker(keys.token)(url, sent);
    received.store(answer.messages);
    return answer;
  };
  const runsOf = runsIn(database);
  /** Waits until every one of the messages is in a run. */
  const answered = (customer: string, ids: readonly string[]): Promise<Run[]> =>
    until(
      () => runsOf(customer),
      (runs) => ids.every((id) => runs.some(({ merged }) => merged.includes(id))),
    );
  const asked = (text: string): number => llm.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length;
  /** Waits until a model has been asked with that text. */
  const modelAsked = (text: string) => until(() => asked(text) > 0);
  return { database, start, ask, runsOf, answered, asked, modelAsked, received };
};

/** A message in a chat that pushes reach, with a text that no other message has. */
export const crashQuestion = (more: Record<string, unknown> = {}) => {
  const word = `sepatu-${uuidv7().slice(-12)}`;
  const sent = question({ message: `ada ${word} lari hitam?`, instanceID: 'toko-1', team: '3', ...more });
  return { word, sent, ids: [sent.idMessage] };
};

/** A further message of the same customer. */
export const another = ({ idUser, idStore, idAgent }: Question) => crashQuestion({ idUser, idStore, idAgent });

/** What may be said of runs whatever was killed: every message in exactly one of them. */
export const expectOnce = (runs: readonly Run[], ids: readonly string[]): void => {
  expect(runs.flatMap(({ merged }) => merged).sort()).toEqual([...ids].sort());
};
