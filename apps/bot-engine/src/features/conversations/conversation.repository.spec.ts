import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan, useDatabase } from '@platform/testing';
import { migrations, SCHEMA } from '../../data-source';
import { NO_FACTS } from '../tools/public';
import { conversationRepository } from './conversation.repository';
import type { CommittedRun, ConversationRef, FinishedTurn } from './conversation.types';
import { ANSWERED, OPEN } from './open.sql';

const database = useDatabase({ schema: SCHEMA, migrations });
const conversations = conversationRepository(database);

let customers = 0;
const newConversation = (): ConversationRef => {
  const n = ++customers;
  const key = n.toString(16).padStart(32, '0');
  return { storeId: 'S1', agentId: 'A1', customer: `62${n}`, key, instanceId: 'dev1', team: '3' };
};
const idOf = ({ key }: ConversationRef) =>
  key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, (_, ...parts: string[]) => parts.slice(0, 5).join('-'));

const turnOf = (
  conversation: ConversationRef,
  messageIds: readonly string[],
  more: Partial<Omit<FinishedTurn, 'run'>> & { run?: Partial<FinishedTurn['run']> } = {},
): FinishedTurn => {
  const id = more.run?.id ?? uuidv7();
  return {
    conversation: { ...conversation, id: idOf(conversation) },
    seed: [],
    since: [],
    said: messageIds.map((messageId) => ({ messageId, content: `kata ${messageId}`, images: [] })),
    requests: [
      {
        purpose: 'chat',
        attempt: { provider: 'openai', model: 'm', status: 'ok', reply: null, ms: 1, costMicros: null },
      },
    ],
    facts: NO_FACTS,
    resumed: false,
    pushes: [],
    ...more,
    run: {
      id,
      leadToken: uuidv7(),
      status: 'done',
      reply: { answer: ['satu', 'dua'], images: [], messageIds: [`bot-${id}-0`, `bot-${id}-1`] },
      costMicros: 12,
      mergedIds: messageIds,
      input: {},
      sources: [],
      steps: 0,
      tokensIn: 1,
      tokensOut: 2,
      ms: { queue: 0, model: 1, total: 2 },
      agentVersion: 1,
      ...more.run,
    },
  };
};
const brief = ({ id, status, reply, costMicros }: CommittedRun): CommittedRun => ({ id, status, reply, costMicros });
const counts = async () => {
  const [row] = await database.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM bot_runs) runs, (SELECT count(*)::int FROM bot_messages) lines,
            (SELECT count(*)::int FROM llm_requests) requests, (SELECT count(*)::int FROM outbox_row) pushes`,
  );
  return row ?? {};
};
const bubble = (dedupeKey: string): FinishedTurn['pushes'][number] => ({
  kind: { name: 'bubble', effect: 'outside' },
  dedupeKey,
  payload: { storeId: 'S1', customer: '62', id: 'bot-1', content: { text: 'satu' }, onlyIfOpen: true },
});

describe('a conversation', () => {
  it('that is new opens empty, under an id that stays when it is stored', async () => {
    const conversation = newConversation();
    const empty = { id: idOf(conversation), isNew: true, lines: [], facts: NO_FACTS, answered: [], address: {} };
    expect(await conversations.open(conversation, ['m1'])).toEqual(empty);
    expect(await conversations.commit(turnOf(conversation, ['m1']))).toBe(true);
    expect(await conversations.open(conversation, ['m1', 'm2'])).toEqual({
      ...empty,
      storedFacts: NO_FACTS,
      isNew: false,
      lines: [
        { role: 'user', content: 'kata m1' },
        { role: 'assistant', content: 'satu\n\ndua' },
      ],
      answered: ['m1'],
      address: { instanceId: 'dev1', team: '3' },
    });
  });

  it('begins with its history once, then keeps the order of what was said', async () => {
    const conversation = newConversation();
    const seed = [{ role: 'user' as const, content: 'dulu' }];
    await conversations.commit(turnOf(conversation, ['m1'], { seed }));
    const since = [{ role: 'assistant' as const, content: '[tim] sudah dikirim' }];
    await conversations.commit(turnOf(conversation, ['m2', 'm3'], { seed, since, sinceSeq: 7 }));
    const { lines, sinceSeq } = await conversations.open(conversation, []);
    expect(lines.map(({ content }) => content)).toEqual([
      ...['dulu', 'kata m1', 'satu\n\ndua'],
      ...['[tim] sudah dikirim', 'kata m2', 'kata m3', 'satu\n\ndua'],
    ]);
    expect(sinceSeq).toBe(7);
  });

  it('takes one of 20 runs for a message, and nothing of the others, whatever else they answer', async () => {
    const conversation = newConversation();
    const before = await counts();
    const turns = Array.from({ length: 20 }, (_, n) =>
      turnOf(conversation, ['m1', `other-${n}`], { pushes: [bubble(uuidv7())] }),
    );
    const won = await Promise.all(turns.map((turn) => conversations.commit(turn)));
    expect(won.filter(Boolean)).toHaveLength(1);
    const after = await counts();
    const grown = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
    expect(grown).toEqual({ runs: 1, lines: 3, requests: 1, pushes: 1 });
  });

  it('begun by 20 first messages at once stands once', async () => {
    const conversation = newConversation();
    const turns = Array.from({ length: 20 }, (_, n) => turnOf(conversation, [`m${n}`]));
    expect(await Promise.all(turns.map((turn) => conversations.commit(turn)))).toEqual(Array(20).fill(true));
    expect((await conversations.open(conversation, ['m1', 'm19'])).answered.toSorted()).toEqual(['m1', 'm19']);
  });

  it('keeps what two turns have learned that ran beside each other in two chats, and resurrects no quote that one has ordered', async () => {
    const conversation = newConversation();
    const quote = { args: { a: 1 }, confirmToken: 'c_1', runId: uuidv7(), at: 1 };
    const begun = { ...NO_FACTS, quote, amounts: [1] };
    const product = { sku: 'A', name: 'Sepatu', price: 5 };
    await conversations.commit(turnOf(conversation, ['m1'], { facts: begun }));
    const at = async (chat: string, id: string) => {
      const { facts, storedFacts } = await conversations.open(conversation, []);
      return (change: object) =>
        conversations.commit(turnOf({ ...conversation, chat }, [id], { facts: { ...facts, ...change }, storedFacts }));
    };
    const [ordering, asking, chatting] = [await at('1', 'm2'), await at('2', 'm3'), await at('3', 'm4')];
    await ordering({ orders: ['O1'], quote: undefined });
    await asking({ products: [product] });
    await chatting({});
    const stands = { ...NO_FACTS, amounts: [1], orders: ['O1'], products: [product] };
    expect((await conversations.open(conversation, [])).facts).toEqual(stands);
    const [quoting, other] = [await at('1', 'm5'), await at('2', 'm6')];
    await quoting({ quote });
    await other({ urls: ['u'] });
    expect((await conversations.open(conversation, [])).facts).toEqual({ ...stands, quote, urls: ['u'] });
  });

  it('keeps texts that PostgreSQL cannot, without what it cannot', async () => {
    const conversation = newConversation();
    const said = [{ messageId: 'm\0', content: 'a\0b\ud83d', images: [] }];
    const run = { reply: { answer: ['\ud83d!'], images: [], messageIds: ['i'] } };
    expect(await conversations.commit(turnOf(conversation, [], { said, run }))).toBe(true);
    expect((await conversations.open(conversation, ['m'])).lines.map(({ content }) => content)).toEqual([
      'ab\ufffd',
      '\ufffd!',
    ]);
  });

  it('is another one for another store, even under the same key and ids', async () => {
    const mine = newConversation();
    const theirs = { ...mine, storeId: 'S2' };
    await conversations.commit(turnOf(mine, ['m1']));
    expect(await conversations.open(theirs, ['m1'])).toMatchObject({ isNew: true, lines: [], answered: [] });
    expect(await conversations.commit(turnOf(theirs, ['m1']))).toBe(true);
    expect(await conversations.answered(theirs, ['m2'])).toBeUndefined();
  });

  it('is opened and looked up by indexes', async () => {
    const values = ['S1', newConversation().key, ['m1']];
    expectNoSeqScan(await explain(database, OPEN, [...values, 'chat', 'chat', 'dev1']));
    expectNoSeqScan(await explain(database, ANSWERED, [...values, uuidv7()]));
  });
});

describe('a run', () => {
  it('stands as running with its steps until it is committed; what a killed one left is then abandoned', async () => {
    const conversation = newConversation();
    const known = { ...conversation, id: idOf(conversation) };
    const record = { text: null, calls: [{ id: 'c', tool: 't', args: '{}', result: '{"a":1}', ms: 3, failed: false }] };
    const [dead, own] = [uuidv7(), uuidv7()].map((id) => ({ id, leadToken: uuidv7(), agentVersion: 4 })) as [
      { id: string; leadToken: string; agentVersion: number },
      { id: string; leadToken: string; agentVersion: number },
    ];
    await conversations.step(known, dead, { n: 0, record });
    await conversations.step(known, own, { n: 0, record });
    await conversations.step(known, own, { n: 1, record });
    const stands = () => database.query(`SELECT id, status FROM bot_runs WHERE conv_id = $1 ORDER BY id`, [known.id]);
    expect(await stands()).toEqual([dead, own].map(({ id }) => ({ id, status: 'running' })));
    expect((await conversations.open(conversation, [])).isNew).toBe(true);
    const seed = [{ role: 'user' as const, content: 'dulu' }];
    expect(await conversations.commit(turnOf(conversation, ['m1'], { seed, run: { ...own, steps: 2 } }))).toBe(true);
    expect(await stands()).toEqual([
      { id: dead.id, status: 'abandoned' },
      { id: own.id, status: 'done' },
    ]);
    expect((await conversations.open(conversation, [])).lines).toHaveLength(3);
    expect(
      await database.query(`SELECT n, assistant, results FROM bot_run_steps WHERE run_id = $1 ORDER BY n`, [own.id]),
    ).toEqual(
      [0, 1].map((n) => ({
        n,
        assistant: { text: null, calls: [{ id: 'c', tool: 't', args: '{}' }] },
        results: [{ id: 'c', result: '{"a":1}', ms: 3, failed: false }],
      })),
    );
  });

  it('is found by its message with all runs of its leader, and the lines up to their answer', async () => {
    const conversation = newConversation();
    const leadToken = uuidv7();
    const turns = [
      turnOf(conversation, ['m1'], { run: { leadToken } }),
      turnOf(conversation, ['m2'], { run: { leadToken } }),
      turnOf(conversation, ['m3']),
    ];
    for (const turn of turns) await conversations.commit(turn);
    const found = await conversations.answered(conversation, ['m1']);
    expect(found?.runs).toEqual(turns.slice(0, 2).map(({ run }) => brief(run)));
    expect(found?.lines.map(({ content }) => content)).toEqual(['kata m1', 'satu\n\ndua', 'kata m2', 'satu\n\ndua']);
    expect(await conversations.answered(conversation, ['m9'], leadToken)).toEqual(found);
    expect(await conversations.answered(conversation, ['m9'], uuidv7())).toBeUndefined();
    expect(await conversations.answered(conversation, ['m9'])).toBeUndefined();
  });
});

describe('a hand-over', () => {
  const handover = { reason: 'complaint', episode: 2, resumeAt: new Date('2030-01-01T00:00:00Z') };
  const escalated = (runId: string): FinishedTurn['pushes'][number] => ({
    kind: { name: 'escalate', effect: 'outside' },
    dedupeKey: `escalate:${runId}`,
    payload: { storeId: 'S1', customer: '62', reason: 'complaint: rusak', priority: 'high' },
  });

  it('stands until the bot is given its part back, and what was said before is then no context', async () => {
    const conversation = newConversation();
    const id = uuidv7();
    await conversations.commit(
      turnOf(conversation, ['m1'], { handover, pushes: [escalated(id)], run: { id, status: 'handover' } }),
    );
    const opened = await conversations.open(conversation, []);
    expect(opened.handedOver).toEqual({ reason: 'complaint', episode: 2, resumeAt: handover.resumeAt, toldAt: null });
    await conversations.commit(turnOf(conversation, ['m2']));
    expect((await conversations.open(conversation, [])).handedOver).toEqual(opened.handedOver);
    const since = [{ role: 'assistant' as const, content: '[tim] beres' }];
    await conversations.commit(turnOf(conversation, ['m3'], { since, resumed: true }));
    const { handedOver, lines } = await conversations.open(conversation, []);
    expect(handedOver).toBeUndefined();
    expect(lines.map(({ content }) => content)).toEqual(['[tim] beres', 'kata m3', 'satu\n\ndua']);
    expect((await conversations.answered(conversation, ['m2']))?.lines).toHaveLength(4);
  });

  it('is told from the moment at which its row of the outbox is done, also when that is gone', async () => {
    const conversation = newConversation();
    const id = uuidv7();
    await conversations.commit(turnOf(conversation, ['m1'], { handover, pushes: [escalated(id)], run: { id } }));
    const toldAt = async () => (await conversations.open(conversation, [])).handedOver?.toldAt;
    expect(await toldAt()).toBeNull();
    await database.query(`UPDATE outbox_row SET state = 'dead', finished_at = now() WHERE dedupe_key = $1`, [
      `escalate:${id}`,
    ]);
    expect(await toldAt()).toBeNull();
    await database.query(`UPDATE outbox_row SET state = 'done', finished_at = '2026-01-02' WHERE dedupe_key = $1`, [
      `escalate:${id}`,
    ]);
    expect(await toldAt()).toEqual(new Date('2026-01-02T00:00:00Z'));
    await database.query(`DELETE FROM outbox_row WHERE dedupe_key = $1`, [`escalate:${id}`]);
    expect(await toldAt()).toEqual(expect.any(Date));
  });
});

it('prices of another day are true no more; what they were of is still known', async () => {
  const conversation = newConversation();
  const shoes = { sku: 'A', name: 'Sepatu', price: 250_000, image: 'https://cdn.example/a.jpg' };
  const facts = { ...NO_FACTS, products: [shoes], amounts: [250_000, 15_000], orders: ['INV-1'] };
  await conversations.commit(turnOf(conversation, ['m1'], { facts }));
  const { storeId, key } = conversation;
  expect((await conversations.open(conversation, [])).facts).toEqual(facts);
  const age = `UPDATE bot_conversations SET updated_at = now() - interval '25 hours' WHERE store_id = $1 AND conv_key = $2`;
  await database.query(age, [storeId, key]);
  const aged = { ...facts, products: [{ ...shoes, price: null }], amounts: [] };
  expect((await conversations.open(conversation, [])).facts).toEqual(aged);
});
