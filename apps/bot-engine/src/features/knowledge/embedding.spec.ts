import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { internalCalls, useBot } from '../../app.fixture';
import { jobQueue } from '../../jobs';
import { toldBy } from './labelled.fixture';

const MODEL = 'sandbox-rules-small';
const { bot, database, start } = useBot({ environment: { EMBEDDING_MODEL: MODEL } });

/** A provider that takes calls and answers none. */
const silent = useRunning(async () => {
  let asked = 0;
  const server = createServer(() => (asked += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
  };
  return { url, asked: () => asked, stop };
});

const vectorsOf = (docId: string) =>
  database.query<{ model: string; bytes: number }>(
    `SELECT embedding_model AS model, octet_length(embedding) AS bytes FROM bot_knowledge_chunks
     WHERE store_id = 'S1' AND doc_id = $1 AND embedding_model IS NOT NULL`,
    [docId],
  );
const post = async (text: string): Promise<string> => {
  const doc = { id: uuidv7(), agent_id: 'A1', kind: 'policy', title: 'Retur', text };
  expect((await internalCalls(bot, 'S1')('POST', '/knowledge', doc)).status).toBe(202);
  return doc.id;
};

describe('with EMBEDDING_MODEL', () => {
  it('a document that is ready gets its vectors, and their cost is written down', async () => {
    const id = await post('Batas retur 7 hari.');
    expect(
      await until(
        () => vectorsOf(id),
        ({ length }) => length > 0,
      ),
    ).toEqual([{ model: MODEL, bytes: 1_024 }]);
    const statement = `SELECT agent_id, purpose, model, status FROM llm_requests WHERE store_id = 'S1' AND purpose = 'embed'`;
    expect(await database.query(statement)).toEqual([{ agent_id: 'A1', purpose: 'embed', model: MODEL, status: 'ok' }]);
  });

  it('a provider that is down leaves the document ready, and found by its words', async () => {
    await bot.stop();
    const down = await start({ EMBEDDING_MODEL: MODEL, LLM_BASE_URL: 'http://127.0.0.1:9/v1' });
    try {
      const calls = internalCalls(down, 'S1');
      const doc = { id: uuidv7(), agent_id: 'A1', kind: 'policy', title: 'Garansi', text: 'Garansi 12 bulan.' };
      expect((await calls('POST', '/knowledge', doc)).status).toBe(202);
      const look = async () => (await calls('GET', `/knowledge/${doc.id}`)).body as { data: { status: string } };
      expect((await until(look, ({ data }) => data.status !== 'processing')).data.status).toBe('ready');
      expect(await vectorsOf(doc.id)).toEqual([]);
    } finally {
      await down.stop();
    }
  });

  it('a provider that hangs for all stores keeps no document waiting to be read', async () => {
    const hanging = await start({ EMBEDDING_MODEL: MODEL, LLM_BASE_URL: silent.url });
    try {
      for (let n = 0; n < 16; n++) {
        const agent = { storeId: `silent-${n}`, agentId: 'A1' };
        await toldBy(hanging.database, agent, [['k', 'Retur', 'Batas retur 7 hari.']]);
        await jobQueue().enqueue(hanging.database, 'knowledge.embed', agent);
      }
      await until(() => silent.asked() >= 4);
      const calls = internalCalls(hanging, 'S1');
      const doc = { id: uuidv7(), agent_id: 'A1', kind: 'policy', title: 'Buka', text: 'Buka setiap hari.' };
      expect((await calls('POST', '/knowledge', doc)).status).toBe(202);
      const look = async () => (await calls('GET', `/knowledge/${doc.id}`)).body as { data: { status: string } };
      expect((await until(look, ({ data }) => data.status !== 'processing')).data.status).toBe('ready');
    } finally {
      await hanging.stop();
    }
  });
});
