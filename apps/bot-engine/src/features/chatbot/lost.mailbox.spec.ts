import { randomBytes } from 'node:crypto';
import { openCache, type CacheScript } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { until, useOpened } from '@platform/testing';
import { botHeaders, question, useBot } from '../../app.fixture';
import { conversationKey } from '../mailbox/public';
import { DUE, keysOf } from '../mailbox/mailbox.keys';

const PATH = '/api/chatbot-api';
const { database, bot, start } = useBot();
const opened = useOpened();

const DROP: CacheScript<number> = {
  name: 'drop',
  lua: `return redis.call('DEL', unpack(KEYS))`,
  twin: () => 0,
};

const onRedis = (url: string): void => {
  const setUp = async (windowMs: number) => {
    const cacheName = `lost-${randomBytes(6).toString('hex')}`;
    const settings = { REDIS_URL: url, BOT_WINDOW_MS: String(windowMs) };
    const process = opened(await start(settings, { cacheName }));
    const cache = openCache({ url, logger: silentLogger, name: cacheName });
    await cache.start?.();
    opened({ stop: async () => void (await cache.stop?.()) });
    const keys = (idUser: string) => keysOf(conversationKey('S1', 'A1', idUser));
    /** As a Redis that starts again without its data. */
    const forget = ({ idUser, idMessage }: ReturnType<typeof question>) => {
      const { mailbox, inFlight, lease, arrival, tries, seen } = keys(idUser);
      return cache.runScript(DROP, [mailbox, inFlight, lease, arrival, tries, seen(idMessage), DUE], []);
    };
    const held = (idUser: string) =>
      until(
        () => cache.get(keys(idUser).lease),
        (lease) => lease !== null,
      );
    return { post: process.post, forget, held };
  };
  const runs = (idUser: string) =>
    database.query(
      `SELECT r.status FROM bot_runs r JOIN bot_conversations c ON (c.store_id, c.id) = (r.store_id, r.conv_id) WHERE c.id_user = $1`,
      [idUser],
    );

  describe('a Redis that loses its data', () => {
    it('while a message waits for more takes no message: it is answered, once, and repeats get the same', async () => {
      const { post, forget, held } = await setUp(1_000);
      const sent = question();
      const asked = post(PATH, sent);
      await held(sent.idUser);
      await forget(sent);
      const answer = await asked;
      expect([answer.status, answer.headers.get('x-bot-status')]).toEqual([201, 'answered']);
      const repeat = await post(PATH, sent);
      expect(repeat.body).toEqual(answer.body);
      expect(botHeaders(repeat)).toEqual({ ...botHeaders(answer), 'x-bot-replayed': 'true' });
      expect(await runs(sent.idUser)).toEqual([{ status: 'done' }]);
    });
  });
};

it('a line of people without words keeps no message from its answer', async () => {
  const since = ['', ' ', '\u0000', 'oke'].map((content, seq) => ({ role: 'team', content, seq }));
  const { status, body } = await bot.post(PATH, question({ since, seq: 9 }));
  expect(status).toBe(201);
  expect((body as { data: { history: unknown[] } }).data.history[0]).toEqual({
    role: 'assistant',
    content: '[tim] oke',
  });
});

if (environment.REDIS_URL) onRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: a Redis that loses its data was not tested.\n');
