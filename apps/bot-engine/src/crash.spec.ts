import { environment } from '@platform/runtime';
import { startGate, until, useOpened, type RunningProgram } from '@platform/testing';
import { DEMO } from './app.fixture';
import { another, crashQuestion, expectOnce, useCrashes } from './crash.fixture';
import { ownRedis, redisCommand } from './redis.fixture';

// Every test starts and kills processes

const crashes = useCrashes([DEMO]);
const { start, ask, runsOf, answered, reached, asked, modelAsked, delivered } = crashes;
const opened = useOpened();

const ids = (messages: object): string[] => Object.keys(messages).sort();

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
    await reached(runs);
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
    await reached(runs);
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
      await reached(runs);
      const repeats = await Promise.all(Array.from({ length: 5 }, () => ask(other, sent)));
      for (const each of repeats)
        expect(each).toEqual({ status: 201, said: 'answered', messages: runs[0]?.messages, replayed: true });
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('after the commit, and before it could say so, leaves the stored answer, and no model is asked again', async () => {
      const gate = opened(await startGate(REDIS_URL));
      const other = await startOne();
      const victim = await startOne({ REDIS_URL: gate.url, LLM_MODEL: 'sandbox-slow-500' });
      const { sent, word, ids: own } = crashQuestion();
      const leading = ask(victim, sent);
      await modelAsked(word);
      gate.hang(true);
      await new Promise((r) => setTimeout(r, 15000));
      process.stderr.write(victim.output() + '\n=====OTHER\n' + other.output() + asked(word));
      const runs = await answered(sent.idUser, own);
      await victim.stop('SIGKILL');
      await leading;
      const calls = asked(word);
      expect(await ask(other, sent)).toMatchObject({ status: 201, said: 'answered', messages: runs[0]?.messages });
      await until(async () => (await redisCommand(REDIS_URL, 'ZCARD', 'bot-engine:b:due')) === 0);
      expect([asked(word), (await runsOf(sent.idUser)).length]).toEqual([calls, 1]);
      expectOnce(await runsOf(sent.idUser), own);
    });

    it('after FINISH leaves the stored answer to the repeats', async () => {
      const other = await startOne();
      const victim = await startOne();
      const { sent, ids: own } = crashQuestion();
      const leading = Array.from({ length: 10 }, () => ask(victim, sent));
      await until(
        async () => (await redisCommand(REDIS_URL, 'KEYS', 'bot-engine:b:{*:res:*')) as string[],
        (found) => found.length > 0,
      );
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
      await reached(runs);
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
      expect(await leading).toMatchObject({ status: 201, messages: runs[0]?.messages });
      expectOnce(await runsOf(sent.idUser), own);
      await reached(runs);
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
      expect(delivered()).toMatchObject(runs[0]?.messages ?? {});
    });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: only the process without Redis was killed.\n');
