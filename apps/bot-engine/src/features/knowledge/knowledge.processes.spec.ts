import { environment } from '@platform/runtime';
import { lockWaiters, startProgram, until, useDatabase, useRunning } from '@platform/testing';
import { internalCalls, seed, startBot, TABLES } from '../../app.fixture';
import { jobQueue } from '../../jobs';
import { startKeyServer } from '../../key-server.fixture';
import { knowledgeRepository } from './knowledge.repository';
import { pdfThatSays } from './pdf.fixture';

const database = useDatabase(TABLES);
const keys = useRunning(startKeyServer);
const docs = knowledgeRepository(database);
beforeAll(() => seed(database.url));

const start = () =>
  startProgram({
    main: 'apps/bot-engine/src/main.ts',
    env: {
      ...{ APP_ENV: 'test', DATABASE_URL: database.url, STORE_AUTH_URL: keys.url, SERVICE_CLIENT_SECRET: 'test' },
      ...{ PORT: '0', HOST: '127.0.0.1' },
    },
  });

describe('a process that is killed while it reads a document', () => {
  it('leaves it to another one, which makes it ready once', async () => {
    const doc = { storeId: 'S1', id: 'doc', agentId: 'A1', kind: 'policy', title: 'Retur', digest: 'd' } as const;
    const source = { source: 'file', sourceRef: 'a.pdf', text: null, gapId: null } as const;
    await docs.insert({ ...doc, ...source, content: pdfThatSays('Batas retur 7 hari.') });
    const first = await start();
    // Its text was taken out, and what comes of it waits for this lock
    await database.tx(async (tx) => {
      await docs.in(tx).lock('S1', 'doc');
      await jobQueue().enqueue(database, 'knowledge.read', { storeId: 'S1', id: 'doc' });
      await until(() => lockWaiters(tx));
      await first.stop('SIGKILL');
    });
    const second = await start();
    try {
      await until(async () => (await docs.find('S1', 'doc'))?.status === 'ready');
      expect(await docs.find('S1', 'doc')).toMatchObject({ text: 'Batas retur 7 hari.', error: null });
      expect(await database.query('SELECT body FROM bot_knowledge_chunks')).toEqual([{ body: 'Batas retur 7 hari.' }]);
    } finally {
      await second.stop();
    }
  });
});

const withRedis = (redisUrl: string): void => {
  describe('two processes', () => {
    const one = useRunning(() => startBot({ DATABASE_URL: database.url, REDIS_URL: redisUrl }));
    const other = useRunning(() => startBot({ DATABASE_URL: database.url, REDIS_URL: redisUrl }));

    it('keep and read a document once that both are given', async () => {
      const doc = { id: 'both', agent_id: 'A1', kind: 'faq', title: 'Buka', text: 'Buka setiap hari.' };
      const calls = [one, other, one, other].map((bot) => internalCalls(bot, 'S1')('POST', '/knowledge', doc));
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([202, 202, 202, 202]);
      await until(async () => (await docs.find('S1', 'both'))?.status === 'ready');
      const statement = 'SELECT body FROM bot_knowledge_chunks WHERE store_id = $1 AND doc_id = $2';
      expect(await database.query(statement, ['S1', 'both'])).toEqual([{ body: 'Buka setiap hari.' }]);
    });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: documents were read by one process at a time only.\n');
