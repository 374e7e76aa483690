import { explain, expectNoSeqScan, useDatabase } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { migrations, SCHEMA } from '../../data-source';
import { conversationRepository, type FinishedRun } from './conversation.repository';
import { OPEN } from './conversation.sql';
import { customerMessage } from './customer.message';

const database = useDatabase({ schema: SCHEMA, migrations });

const messageOf = (idMessage: string, more: object = {}) =>
  customerMessage({ idUser: '6281', idAgent: 'A1', idStore: 'S1', message: 'hai', idMessage, ...more }, { now: 0 });
const runOf = (more: Partial<FinishedRun> = {}): FinishedRun => ({
  id: uuidv7(),
  status: 'done',
  reply: { answer: ['satu', 'dua'], images: [], messageIds: ['a', 'b'] },
  costMicros: 12,
  tokensIn: 1,
  tokensOut: 2,
  ms: { queue: 0, model: 1, total: 2 },
  agentVersion: 1,
  seed: [],
  attempts: [{ provider: 'openai', model: 'm', status: 'ok', reply: null, ms: 1, costMicros: null }],
  ...more,
});
const counts = () =>
  database.query(
    'SELECT (SELECT count(*)::int FROM bot_runs) runs, (SELECT count(*)::int FROM bot_messages) lines, (SELECT count(*)::int FROM llm_requests) requests',
  );

describe('a stored conversation', () => {
  it('opens as new, and afterwards with its lines in order and the run of a known message', async () => {
    const conversations = conversationRepository(database);
    const message = messageOf('m1', { history: [{ role: 'user', content: 'dulu' }] });
    expect(await conversations.open(message)).toEqual({ lines: [], isNew: true });
    const run = runOf({ seed: message.history });
    expect(await conversations.commit(message, run)).toBe(true);
    expect(await conversations.open(message)).toEqual({
      run: { id: run.id, status: 'done', reply: run.reply, costMicros: 12 },
      lines: [
        { role: 'user', content: 'dulu' },
        { role: 'user', content: 'hai' },
        { role: 'assistant', content: 'satu\n\ndua' },
      ],
      isNew: false,
    });
  });

  it('commits one of 20 runs for a message, and nothing of the others', async () => {
    const conversations = conversationRepository(database);
    const [before] = await counts();
    const message = messageOf('m2');
    const won = await Promise.all(Array.from({ length: 20 }, () => conversations.commit(message, runOf())));
    expect(won.filter(Boolean)).toHaveLength(1);
    const [after] = await counts();
    const grown = (name: string) => Number(after?.[name]) - Number(before?.[name]);
    expect(['runs', 'lines', 'requests'].map(grown)).toEqual([1, 2, 1]);
  });

  it('seeds its history only once', async () => {
    const conversations = conversationRepository(database);
    const seed = [{ role: 'user' as const, content: 'lama' }];
    await conversations.commit(messageOf('m3'), runOf({ seed }));
    const { lines } = await conversations.open(messageOf('m3'));
    expect(lines.filter(({ content }) => content === 'lama')).toEqual([]);
  });

  it('is opened by indexes', async () => {
    const plan = await explain(database, OPEN, ['S1', messageOf('m1').conversationKey, 'm1']);
    expectNoSeqScan(plan);
  });
});
