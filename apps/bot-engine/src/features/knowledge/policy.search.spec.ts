import {
  expectNoSeqScan,
  explain,
  type Plan,
  startLlmSandbox,
  useDatabase,
  useRunning,
  vacuumed,
} from '@platform/testing';
import { silentLogger } from '@platform/runtime';
import { TABLES } from '../../app.fixture';
import { ChunkEmbedding } from './chunk.embedding';
import { LABELLED_CHUNKS } from './labelled.chunks.fixture';
import { toldBy } from './labelled.fixture';
import { LABELLED_QUESTIONS } from './labelled.questions.fixture';
import { SEARCH_POLICY } from './policy.sql';
import { PolicySearch } from './policy.search';
import { policyWords } from './policy.words';
import { bytesOf } from './vector.shelf';
import type { TextVectors } from './vectors.types';

const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const OURS = { storeId: 'S1', agentId: 'A1' };
const THEIRS = { storeId: 'S2', agentId: 'A1' };

beforeAll(async () => {
  await toldBy(database, OURS);
  await toldBy(database, THEIRS, [['theirs', 'Retur', 'Retur di toko lain 90 hari dan tanpa syarat.']]);
  await vacuumed(database);
});

/** Not learned: near are texts that share words. */
const ofSandbox = (model = 'sandbox-rules-small'): TextVectors => ({
  model,
  embed: async (_, input, signal) => {
    const answer = await fetch(`${llm.url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-key' },
      body: JSON.stringify({ model: 'sandbox-rules-small', input }),
      signal,
    });
    const { data } = (await answer.json()) as { data: { embedding: number[] }[] };
    return data.map(({ embedding }) => Float32Array.from(embedding));
  },
});

/** Alike are those that hold one of these. */
const likeOnly =
  (...wanted: readonly string[]): TextVectors['embed'] =>
  (_, texts) =>
    Promise.resolve(texts.map((text) => Float32Array.from([wanted.some((each) => text.includes(each)) ? 1 : 0, 1, 0])));

let version = 1;
const agents = { get: async () => ({ version }), raise: async () => void (version += 1) };
const embedded: string[] = [];
const searchWith = (vectors?: TextVectors): PolicySearch =>
  new PolicySearch({
    ...{ database, agents, logger: silentLogger, vectors },
    embed: async (storeId, agentId) => void embedded.push(`${storeId} ${agentId}`),
  });

const keyOf = (chunkId: string): string => chunkId.replace(/:\d+$/, '');
const keys = async (search: PolicySearch, question: string): Promise<string[]> =>
  (await search.find(OURS.storeId, OURS.agentId, question, 4)).map(({ chunkId }) => keyOf(chunkId));

/** Of the questions with an answer those whose piece is not among the first four; of those without one those that are given something. */
const missed = async (search: PolicySearch): Promise<{ notFound: string[]; madeUp: string[] }> => {
  const notFound: string[] = [];
  const madeUp: string[] = [];
  for (const [question, key] of LABELLED_QUESTIONS) {
    const found = await keys(search, question);
    if (key !== undefined && !found.includes(key)) notFound.push(question);
    if (key === undefined && found.length > 0) madeUp.push(question);
  }
  return { notFound, madeUp };
};

describe('the 60 labelled questions on 120 pieces', () => {
  it('are 45 with an answer and 15 without one', () => {
    const keyed = LABELLED_QUESTIONS.filter(([, key]) => key !== undefined);
    expect([LABELLED_CHUNKS.length, LABELLED_QUESTIONS.length, keyed.length]).toEqual([120, 60, 45]);
  });

  it('have the right piece among the first four in 40 cases, and nothing in 13 of the others, by words alone', async () => {
    const { notFound, madeUp } = await missed(searchWith());
    expect(notFound.length).toBeLessThanOrEqual(5);
    expect(madeUp.length).toBeLessThanOrEqual(2);
  });

  it('are answered no worse with vectors beside the words', async () => {
    await new ChunkEmbedding({ database, agents, vectors: ofSandbox() }).run(OURS.storeId, OURS.agentId);
    const [alone, both] = [await missed(searchWith()), await missed(searchWith(ofSandbox()))];
    expect(both.notFound.length).toBeLessThanOrEqual(alone.notFound.length);
    expect(both.madeUp.length).toBeLessThanOrEqual(alone.madeUp.length);
  });
});

describe('the policy search', () => {
  it('answers from the knowledge of this agent of this store alone', async () => {
    const hits = await searchWith().find(THEIRS.storeId, THEIRS.agentId, 'berapa hari retur?', 4);
    expect(hits).toEqual([
      {
        chunkId: 'theirs:1',
        title: 'Retur',
        body: 'Retur di toko lain 90 hari dan tanpa syarat.',
        score: expect.any(Number),
      },
    ]);
    expect(await searchWith().find(OURS.storeId, 'A2', 'berapa hari retur?', 4)).toEqual([]);
    expect(await keys(searchWith(), 'berapa hari retur?')).not.toContain('theirs');
  });

  it('reads by the index of store, agent and words', async () => {
    const plan = await explain(database, SEARCH_POLICY, ['S1', 'A1', ['retur', 'ongkir'], 10]);
    const indexesOf = ({ Plans = [], ...node }: Plan): (string | undefined)[] => [
      node['Index Name'],
      ...Plans.flatMap(indexesOf),
    ];
    expect(indexesOf(plan)).toContain('bot_knowledge_chunks_words');
    expectNoSeqScan(plan, 'bot_knowledge_chunks', 'bot_knowledge_docs', 'bot_synonyms');
  });

  it('is planned for the agent and its words: a plan for any would read all chunks of a large one', async () => {
    for (let search = 0; search < 8; search++) await keys(searchWith(), 'berapa hari retur?');
    const kept = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%bot_synonyms%' AND statement NOT LIKE '%pg_prepared_statements%'`;
    expect(await database.query(kept)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['stop words', 'kak mau tanya dong, bisa ga ya?'],
    ['signs of the query language', `' | & ! <-> :* ( )`],
    ['words that nobody wrote', 'zzzz qqqq'],
  ])('finds nothing for %s', async (_, question) => expect(await keys(searchWith(), question)).toEqual([]));

  it.each([
    ['control characters and halves of pairs', 'retur\0 \ud800 ongkos kirim?\u202e'],
    ['a very long text', `ongkos kirim retur ${'ya '.repeat(50_000)}`],
  ])('takes %s', async (_, question) => expect(await keys(searchWith(), question)).toContain('return-cost'));
});

describe('vectors of a question', () => {
  it('that do not come in time leave what the words find', async () => {
    const hanging: TextVectors = {
      model: 'sandbox-rules-small',
      embed: (_, __, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('too late')))),
    };
    expect(await keys(searchWith(hanging), 'bisa cod ga kak')).toEqual(['pay-cod']);
  });

  it.each<[string, TextVectors['embed']]>([
    ['fail', () => Promise.reject(new Error('provider is down'))],
    ['are none', () => Promise.resolve(undefined)],
  ])('that %s leave what the words find', async (_, embed) => {
    expect(await keys(searchWith({ model: 'sandbox-rules-small', embed }), 'bisa cod ga kak')).toEqual(['pay-cod']);
  });

  it('find a piece that shares no word with it', async () => {
    const store = { storeId: 'S3', agentId: 'A1' };
    await toldBy(database, store);
    await new ChunkEmbedding({
      database,
      agents,
      vectors: { model: 'm', embed: likeOnly('Madu tidak dianjurkan') },
    }).run(store.storeId, store.agentId);
    const search = searchWith({ model: 'm', embed: likeOnly('infant') });
    const hits = await search.find(store.storeId, store.agentId, 'infant', 4);
    expect(hits).toMatchObject([{ chunkId: 'honey-child:1' }]);
  });

  it('are found by a process that asked before they were made, also where their maker was killed before it told of them', async () => {
    const store = { storeId: 'S4', agentId: 'A1' };
    await toldBy(database, store);
    const vectors = { model: 'm', embed: likeOnly('Madu tidak dianjurkan', 'infant') };
    const search = searchWith(vectors);
    expect(await search.find(store.storeId, store.agentId, 'infant', 4)).toEqual([]);
    const killed = { ...agents, raise: () => Promise.reject(new Error('killed')) };
    const job = new ChunkEmbedding({ database, agents: killed, vectors }).run(store.storeId, store.agentId);
    await expect(job).rejects.toThrow('killed');
    await new ChunkEmbedding({ database, agents, vectors }).run(store.storeId, store.agentId);
    const hits = await search.find(store.storeId, store.agentId, 'infant', 4);
    expect(hits).toMatchObject([{ chunkId: 'honey-child:1' }]);
  });

  it('of another model are not compared; the chunks are given new ones', async () => {
    await new ChunkEmbedding({ database, agents, vectors: ofSandbox() }).run(OURS.storeId, OURS.agentId);
    embedded.length = 0;
    const other = ofSandbox('another-model');
    expect(await keys(searchWith(other), 'bisa cod ga kak')).toEqual(['pay-cod']);
    expect(embedded).toEqual(['S1 A1']);
    await new ChunkEmbedding({ database, agents, vectors: other }).run(OURS.storeId, OURS.agentId);
    const statement = 'SELECT DISTINCT embedding_model AS model FROM bot_knowledge_chunks WHERE store_id = $1';
    expect(await database.query(statement, ['S1'])).toEqual([{ model: 'another-model' }]);
  });

  it('are kept as little-endian 32-bit numbers', () => {
    expect(bytesOf(Float32Array.from([1, -2])).toString('hex')).toBe('0000803f000000c0');
  });
});

it('asks for what a question is about, once each', () => {
  expect(policyWords('Kak, bisa RETUR ga? retur berapa hari ya')).toEqual(['retur', 'hari']);
});
