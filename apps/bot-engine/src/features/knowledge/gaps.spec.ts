import { uuidv7 } from '@platform/runtime';
import { internalCalls, useBot } from '../../app.fixture';
import { folded, GapRepository } from './gap.repository';

const { bot, database } = useBot();
const s1 = () => internalCalls(bot, 'S1');
const s2 = () => internalCalls(bot, 'S2');
const at = expect.stringMatching(/^\d{4}-.*Z$/);

interface Told {
  readonly data: readonly { readonly id: string; readonly question: string }[];
  readonly meta: { readonly next_cursor: string | null };
}
const listed = async (query: string, calls = s1()): Promise<Told> => (await calls('GET', `/gaps${query}`)).body as Told;
const asked = async (question: string, agentId: string, { storeId = 'S1', runId = uuidv7() } = {}): Promise<string> => {
  await new GapRepository(database).count(storeId, agentId, question, runId);
  return runId;
};
const agent = (() => {
  let made = 0;
  return () => `agent-${++made}`;
})();

describe('a question that nothing answers', () => {
  it('is one gap, in whatever case, punctuation and spacing it is asked', async () => {
    const id = agent();
    for (const question of ['Ada garansi?', 'ADA GARANSI', ' ada  garansi!!! 😀']) await asked(question, id);
    const runId = await asked('ada, garansi...', id);
    await asked('Ada cicilan?', id);
    const { data } = await listed(`?agent_id=${id}`);
    const gap = { id: expect.any(String), agent_id: id, last_at: at, run_id: expect.any(String), status: 'open' };
    expect(data).toEqual([
      { ...gap, question: 'Ada cicilan?', count: 1 },
      { ...gap, question: 'Ada garansi?', count: 4, run_id: runId },
    ]);
  });

  it('asked by many at once is counted each time', async () => {
    const id = agent();
    await Promise.all(Array.from({ length: 20 }, () => asked('Bisa sewa?', id)));
    expect(await listed(`?agent_id=${id}`)).toMatchObject({ data: [{ count: 20 }] });
  });

  it.each(['', '?!', '😀', '\0'])('that says nothing, %j, is no gap', async (question) => {
    const id = agent();
    await asked(question, id);
    expect((await listed(`?agent_id=${id}`)).data).toEqual([]);
  });

  it('is kept as it can be stored, at most 500 characters long', async () => {
    const id = agent();
    await asked(`\ud800a\0b ${'😀'.repeat(600)}z`, id);
    const { data } = await listed(`?agent_id=${id}`);
    expect([...(data[0]?.question ?? '')]).toHaveLength(500);
    expect(data[0]?.question.startsWith('ab 😀')).toBe(true);
  });

  it('folds letters of other scripts and widths alike', () => {
    expect([folded('ＡＢＣ،  Ä-b'), folded('abc ä B')]).toEqual(['abc ä b', 'abc ä b']);
  });
});

describe('a gap', () => {
  it('that is dismissed stays so; one that was answered is open again when it is asked again', async () => {
    const [id, other] = [agent(), agent()];
    for (const each of [id, other]) await asked('Ada garansi?', each);
    const [
      {
        data: [one],
      },
      {
        data: [two],
      },
    ] = await Promise.all([listed(`?agent_id=${id}`), listed(`?agent_id=${other}`)]);
    await s1()('PUT', `/gaps/${one?.id}`, { status: 'dismissed' });
    await s1()('PUT', `/gaps/${two?.id}`, { status: 'answered' });
    for (const each of [id, other]) await asked('ada garansi', each);
    expect(await listed(`?agent_id=${id}`)).toMatchObject({ data: [{ status: 'dismissed', count: 2 }] });
    expect(await listed(`?agent_id=${other}`)).toMatchObject({ data: [{ status: 'open', count: 2 }] });
  });

  it('is changed to what was asked for, and only that', async () => {
    const id = agent();
    const runId = await asked('Ada garansi?', id);
    const [gap] = (await listed(`?agent_id=${id}`)).data;
    expect(await s1()('PUT', `/gaps/${gap?.id}`, { status: 'answered' })).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'OK',
        data: {
          id: gap?.id,
          agent_id: id,
          question: 'Ada garansi?',
          count: 1,
          last_at: at,
          run_id: runId,
          status: 'answered',
        },
      },
    });
    expect((await s1()('PUT', `/gaps/${gap?.id}`, { status: 'gone' })).status).toBe(422);
    expect((await s1()('PUT', `/gaps/${gap?.id}`, { status: 'open', count: 9 })).status).toBe(422);
  });

  it('of another store is neither seen nor changed', async () => {
    const id = agent();
    await asked('Ada garansi?', id);
    const [gap] = (await listed(`?agent_id=${id}`)).data;
    const notFound = { status: 404, body: { status: 'error', message: 'gap not found', code: 'not_found' } };
    expect((await listed(`?agent_id=${id}`, s2())).data).toEqual([]);
    expect(await s2()('PUT', `/gaps/${gap?.id}`, { status: 'dismissed' })).toEqual(notFound);
    expect((await s2()('PUT', `/gaps/no-id`, { status: 'dismissed' })).status).toBe(404);
    expect(await listed(`?agent_id=${id}`)).toMatchObject({ data: [{ status: 'open' }] });
  });

  it('is closed by a document that was posted for it, once that is ready', async () => {
    await asked('Ada garansi toko?', 'A1');
    const [gap] = (await listed('?agent_id=A1&status=open')).data;
    const doc = { id: uuidv7(), agent_id: 'A1', kind: 'faq', title: 'Garansi', text: 'Garansi 12 bulan.' };
    expect((await s1()('POST', '/knowledge', { ...doc, gap_id: gap?.id })).status).toBe(202);
    for (let open = [gap]; open.length > 0;) open = [...(await listed('?agent_id=A1&status=open')).data];
    expect((await listed('?agent_id=A1&status=answered')).data).toMatchObject([{ id: gap?.id }]);
  });
});

describe('the list of gaps', () => {
  it('is read page by page, the last asked first', async () => {
    const id = agent();
    for (const n of [1, 2, 3, 4, 5]) await asked(`pertanyaan ${n}`, id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Told = await listed(`?agent_id=${id}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ question }) => question));
      cursor = page.meta.next_cursor;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((n) => `pertanyaan ${n}`));
  });

  it('takes no cursor of another list', async () => {
    const id = agent();
    for (const n of [1, 2]) await asked(`pertanyaan ${n}`, id);
    const { meta } = await listed(`?agent_id=${id}&limit=1`);
    const query = `/gaps?agent_id=${id}&limit=1&cursor=${meta.next_cursor}`;
    expect((await s1()('GET', query)).status).toBe(200);
    expect((await s2()('GET', query)).status).toBe(422);
    expect((await s1()('GET', '/gaps?cursor=made-up')).status).toBe(422);
  });
});
