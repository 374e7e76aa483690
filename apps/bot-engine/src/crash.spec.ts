import { environment } from '@platform/runtime';
import { startGate, until, untilWaiting, useOpened, type RunningProgram } from '@platform/testing';
import { DEMO } from './app.fixture';
import { another, crashQuestion, expectOnce, useCrashes, type Question } from './crash.fixture';
import { conversationKey, mailboxKey } from './features/mailbox/public';
import { ownRedis, redisCommand } from './redis.fixture';

// Every test starts and kills processes

const { database, start, ask, runsOf, answered, asked, modelAsked, received } = useCrashes([DEMO]);
const opened = useOpened();

const ids = (messages: object): string[] => Object.keys(messages).sort();

const leaseOf = ({ idStore, idAgent, idUser, instanceID }: Question & { instanceID?: string }): string =>
  `bot-engine:b:{${mailboxKey(conversationKey(idStore, idAgent, idUser), instanceID)}}:lease`;

describe('kill -9 of the only process', () => {
  it('with a turn running and merged lines waiting loses none of them: the next one answers all', async () => {
    const first = await start({ LLM_MODEL: 'sandbox-hang' });
    const { sent, word } = crashQuestion();
    const lines = [another(sent), another(sent), another(sent)];
    const leading = ask(first, sent);
    await modelAsked(word);
    for (const line of lines)
      expect(await ask(first, line.sent)).toMatchObject({ status: 201, said: 'merged', messages: {} });
    await first.stop('SIGKILL');
    expect((await leading).status).toBe(0);
    expect(await runsOf(sent.idUser)).toEqual([]);
    const next = await start();
    const all = [sent, ...lines.map((line) => line.sent)].map(({ idMessage }) => idMessage);
    const runs = await answered(sent.idUser, all);
    expectOnce(runs, all);
    await received.of(runs);
    const repeated = await ask(next, sent);
    expect([repeated.status, ids(repeated.messages)]).toEqual([201, ids(runs[0]?.messages ?? {})]);
    expect(await ask(next, lines[0]?.sent ?? sent)).toMatchObject({ status: 201, said: 'merged', messages: {} });
    expectOnce(await runsOf(sent.idUser), all);
  });

  it('with a message that nobody repeats has it answered by the next one', async () => {
    const first = await start({ LLM_MODEL: 'sandbox-hang' });
    const { sent, word, ids: own } = crashQuestion();
    const leading = ask(first, sent);
    await modelAsked(word);
    await first.stop('SIGKILL');
    await leading;
    await start();
    const runs = await answered(sent.idUser, own);
    expectOnce(runs, own);
    await received.of(runs);
  });
});

const withRedis = (url: string): void => {
  let REDIS_URL = '';
  beforeAll(async () => {
    REDIS_URL = await ownRedis(url);
  });
  const startOne = (more: Readonly<Record<string, string>> = {}) => start({ REDIS_URL, ...more });

  describe('kill -9 of one of two processes', () => {
    it('before the commit leaves the message to the other one, which pushes the answer; a repeat gets the same', async () => {
      const other = await startOne();
      const victim = await startOne({ LLM_MODEL: 'sandbox-hang' });
      const { sent, word, ids: own } = crashQuestion();
      const leading = ask(victim, sent);
      await modelAsked(word);
      await victim.stop('SIGKILL');
      expect((await leading).status).toBe(0);
      const runs = await answered(sent.idUser, own);
      await received.of(runs);
      const repeats = await Promise.all(Array.from({ length: 5 }, () => ask(other, sent)));
      for (const each of repeats)
        expect(each).toEqual({ status: 201, said: 'answered', messages: runs[0]?.messages, replayed: true });
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('after the commit, and before it could say so, leaves the stored answer, and no model is asked again', async () => {
      const gate = opened(await startGate(REDIS_URL));
      const other = await startOne();
      const victim = await startOne({ REDIS_URL: gate.url, LLM_MODEL: 'sandbox-slow-200' });
      const { sent, word, ids: own } = crashQuestion();
      const leading = await database.tx(async (tx) => {
        await tx.query('LOCK TABLE bot_runs IN SHARE MODE');
        const leads = ask(victim, sent);
        await untilWaiting(tx, leads);
        gate.hang(true);
        return [leads];
      });
      const runs = await answered(sent.idUser, own);
      await victim.stop('SIGKILL');
      await Promise.all(leading);
      const calls = asked(word);
      expect(await ask(other, sent)).toMatchObject({ status: 201, said: 'answered', messages: runs[0]?.messages });
      await until(async () => (await redisCommand(REDIS_URL, 'ZCARD', 'bot-engine:b:due')) === 0);
      expect(asked(word)).toBe(calls);
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('after FINISH leaves the stored answer to the repeats', async () => {
      const other = await startOne();
      const victim = await startOne();
      const { sent, ids: own } = crashQuestion();
      const leading = Array.from({ length: 10 }, () => ask(victim, sent));
      await until(async () => {
        const isStored = (await runsOf(sent.idUser)).length > 0;
        return isStored && (await redisCommand(REDIS_URL, 'EXISTS', leaseOf(sent))) === 0;
      });
      await victim.stop('SIGKILL');
      await Promise.all(leading);
      const again = await ask(other, sent);
      const runs = await runsOf(sent.idUser);
      expectOnce(runs, own);
      expect(again).toMatchObject({ status: 201, messages: runs[0]?.messages, replayed: true });
    });

    it('in the second round gives the answer of the first to the repeat, and the rest to the other one', async () => {
      const other = await startOne();
      const victim = await startOne({ LLM_MODEL: 'sandbox-slow-1500' });
      const first = crashQuestion();
      const [second, third] = [another(first.sent), another(first.sent)];
      const leading = ask(victim, first.sent);
      await modelAsked(first.word);
      await ask(victim, second.sent);
      await modelAsked(second.word);
      await ask(victim, third.sent);
      await answered(first.sent.idUser, [...first.ids, ...second.ids]);
      await modelAsked(third.word);
      await victim.stop('SIGKILL');
      expect((await leading).status).toBe(0);
      const all = [first, second, third].flatMap((each) => each.ids);
      const runs = await answered(first.sent.idUser, all);
      expectOnce(runs, all);
      const repeated = await ask(other, first.sent);
      expect(ids(repeated.messages)).toEqual(expect.arrayContaining(ids(runs[0]?.messages ?? {})));
      await received.of(runs);
    });
  });

  describe('a leader that was thought dead', () => {
    /** Not killed: it goes on when it is let. */
    const freeze = ({ pid }: RunningProgram) => process.kill(pid, 'SIGSTOP');
    const thaw = ({ pid }: RunningProgram) => process.kill(pid, 'SIGCONT');

    it('commits nothing after the other one has, and its caller gets the answer of that', async () => {
      await startOne();
      const victim = await startOne({ LLM_MODEL: 'sandbox-slow-1000' });
      const { sent, word, ids: own } = crashQuestion();
      const leading = ask(victim, sent);
      await modelAsked(word);
      freeze(victim);
      const runs = await answered(sent.idUser, own).finally(() => thaw(victim));
      // Its connections may have gone while it stood still: then it asks for a repeat
      expect([201, 503]).toContain((await leading).status);
      expect(await ask(victim, sent)).toMatchObject({ status: 201, messages: runs[0]?.messages });
      expectOnce(await runsOf(sent.idUser), own);
      await received.of(runs);
    });
  });

  describe('Redis that loses everything', () => {
    it('between a message and its repeat makes no second run', async () => {
      const bot = await startOne();
      const { sent, ids: own } = crashQuestion();
      const first = await ask(bot, sent);
      await redisCommand(REDIS_URL, 'FLUSHDB');
      expect(await ask(bot, sent)).toEqual({ ...first, replayed: true });
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('while the bot waits for the end of a burst takes no message: it is offered anew, and a repeat gets the same', async () => {
      const bot = await startOne({ BOT_WINDOW_MS: '2000' });
      const { sent, ids: own } = crashQuestion();
      const leading = ask(bot, sent);
      await until(async () => (await redisCommand(REDIS_URL, 'EXISTS', leaseOf(sent))) === 1);
      await redisCommand(REDIS_URL, 'FLUSHDB');
      const first = await leading;
      expect(first).toMatchObject({ status: 201, said: 'answered', replayed: false });
      expect(await ask(bot, sent)).toEqual({ ...first, replayed: true });
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('during a turn leaves one run, which its caller and a repeat get', async () => {
      const bot = await startOne({ LLM_MODEL: 'sandbox-slow-500' });
      const { sent, word, ids: own } = crashQuestion();
      const leading = ask(bot, sent);
      await modelAsked(word);
      await redisCommand(REDIS_URL, 'FLUSHDB');
      const repeated = await ask(bot, sent);
      const first = await leading;
      expect([first.status, repeated.status, repeated.messages]).toEqual([201, 201, first.messages]);
      const runs = await runsOf(sent.idUser);
      expectOnce(runs, own);
      expect(received.all()).toMatchObject(runs[0]?.messages ?? {});
    });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: only the process without Redis was killed.\n');
