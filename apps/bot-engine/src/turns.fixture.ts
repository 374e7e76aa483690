import { openCache, redisConnection } from '@platform/data';
import { environment, randomHex, silentLogger } from '@platform/runtime';
import { startLlmSandbox, useDatabase, useRunning, type LlmSandbox } from '@platform/testing';
import type { Deps } from './app';
import { seed, startBot, TABLES, type Bot } from './app.fixture';
import { useSiblings } from './siblings.fixture';

/** Where turns are kept between processes: one process without Redis, two with it. */
export const MODES: readonly (readonly [string, string | undefined])[] = [
  ['in one process', undefined],
  ...(environment.REDIS_URL ? [['in two processes with Redis', environment.REDIS_URL] as const] : []),
];
if (!environment.REDIS_URL) process.stderr.write('REDIS_URL is not set: turns were tested in one process only.\n');

export const CHATBOT = '/api/chatbot-api';

export interface Said {
  readonly status: number;
  readonly answer: readonly string[];
  readonly images: readonly string[];
  readonly history: readonly { readonly role: string; readonly content: string }[];
  readonly bot: string | null;
  readonly ids: readonly string[];
  readonly isReplayed: boolean;
}

/** An answer of the bot, in short. */
export const saidBy = ({ status, body, headers }: Awaited<ReturnType<Bot['post']>>): Said => {
  const { data } = body as { data?: Pick<Said, 'answer' | 'images' | 'history'> };
  return {
    ...{ status, answer: data?.answer ?? [], images: data?.images ?? [], history: data?.history ?? [] },
    bot: headers.get('x-bot-status'),
    ids: headers.get('x-bot-message-ids')?.split(',') ?? [],
    isReplayed: headers.get('x-bot-replayed') === 'true',
  };
};

/** Its keys in Redis, which others use as well. */
const keysOf = async (url: string, name: string) => {
  const client = redisConnection(url, silentLogger);
  await client.connect();
  const found = (pattern: string): Promise<string[]> => client.keys(`${name}:${pattern}`);
  const forget = async (pattern: string): Promise<void> => {
    const keys = await found(pattern);
    if (keys.length > 0) await client.del(keys);
  };
  const set = (key: string, value: string): Promise<unknown> => client.set(`${name}:${key}`, value);
  return { found, forget, set, stop: async () => client.destroy() };
};

/** The last user message of each request to the model. */
const questions = ({ requests }: LlmSandbox): string[] =>
  requests.map(({ body }) => {
    const messages = body.messages as { role: string; content: string }[];
    return messages.findLast(({ role }) => role === 'user')?.content ?? '';
  });

/** The bot in as many processes as there may be, with everything that it calls, for the tests of the surrounding suite. */
export const useTurns = (
  redis: string | undefined,
  settings: Readonly<Record<string, string>> = {},
  deps: Pick<Deps, 'clock'> = {},
) => {
  const database = useDatabase(TABLES);
  const llm = useRunning(() => startLlmSandbox({ port: 0 }));
  const { commerce, chat, settings: siblings } = useSiblings();
  const name = `bot-${randomHex(6)}`;
  const start = (more: Readonly<Record<string, string>> = {}): Promise<Bot> =>
    startBot(
      {
        ...{ ...siblings(), DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1`, BOT_LEASE_MS: '3000' },
        ...{ ...(redis ? { REDIS_URL: redis } : {}), ...settings, ...more },
      },
      { ...deps, cache: redis ? openCache({ url: redis, logger: silentLogger, name }) : undefined },
    );
  const bots = useRunning(async () => {
    await seed(database.url);
    const all = [await start(), ...(redis ? [await start()] : [])];
    return { all, stop: async () => void (await Promise.all(all.map((bot) => bot.stop()))) };
  });
  let posts = 0;
  /** The processes take turns. */
  const post = async (message: object): Promise<Said> =>
    saidBy(await (bots.all[posts++ % bots.all.length] as Bot).post(CHATBOT, message));
  const useModel = (model: string | null) => database.query('UPDATE bot_agents SET model = $1', [model]);
  const runsOf = (customer: string) =>
    database.query<{ id: string; status: string; merged_ids: string[]; lead_token: string }>(
      `SELECT r.id, r.status, r.merged_ids, r.lead_token FROM bot_runs r
       JOIN bot_conversations c ON (c.store_id, c.id) = (r.store_id, r.conv_id)
       WHERE c.id_user = $1 AND r.status IN ('done', 'fallback', 'handover') ORDER BY r.id`,
      [customer],
    );
  const asked = (text: string): string[] => questions(llm).filter((question) => question.includes(text));
  const pushedTo = (customer: string) => chat.sent.filter((each) => each.nohp === customer);
  const keys = redis ? useRunning(() => keysOf(redis, name)) : undefined;
  return { database, llm, commerce, chat, bots, start, post, useModel, runsOf, asked, pushedTo, keys };
};
