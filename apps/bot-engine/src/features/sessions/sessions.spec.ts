import { uuidv7 } from '@platform/runtime';
import { internalCalls, useBot } from '../../app.fixture';

const { bot } = useBot();
const s1 = () => internalCalls(bot);

const at = expect.stringMatching(/^\d{4}-.*Z$/);
const tried = (more: object = {}) => ({
  ...{ id: uuidv7(), agent_id: 'A1', prompt: 'Kamu ramah.', question: 'halo?', answer: 'Halo kak.' },
  ...more,
});
const refused = (status: number, message: string, code: string) => ({
  status,
  body: { status: 'error', message, code },
});

describe('a test session', () => {
  it('is opened by its first question, grows with each, and tells everything in order', async () => {
    const first = tried({ question: 'apa kabar '.repeat(20) });
    expect((await s1()('POST', '/test-sessions', first)).status).toBe(201);
    const second = tried({ id: first.id, prompt: 'Kamu singkat.', question: 'buka jam berapa?', answer: '09.00' });
    const session = {
      ...{ id: first.id, agent_id: 'A1', title: first.question.slice(0, 60), lines: 4, updated_at: at },
      prompt: 'Kamu singkat.',
      transcript: [
        { role: 'user', content: first.question, at },
        { role: 'assistant', content: first.answer, at },
        { role: 'user', content: second.question, at },
        { role: 'assistant', content: second.answer, at },
      ],
    };
    expect(await s1()('POST', '/test-sessions', second)).toEqual({
      status: 201,
      body: { status: 'success', message: 'Session saved', data: session },
    });
    expect(await s1()('GET', `/test-sessions/${first.id}`)).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data: session },
    });
  });

  it('keeps twenty questions that are saved at once, each with its answer', async () => {
    const { id } = tried();
    const questions = Array.from({ length: 20 }, (_, n) => tried({ id, question: `Q${n}`, answer: `A${n}` }));
    await Promise.all(questions.map((body) => s1()('POST', '/test-sessions', body)));
    const { data } = (await s1()('GET', `/test-sessions/${id}`)).body as {
      data: { transcript: { content: string }[] };
    };
    const lines = data.transcript.map(({ content }) => content);
    expect(lines).toHaveLength(40);
    for (const [n, line] of lines.entries()) if (n % 2 === 0) expect(lines[n + 1]).toBe(line.replace('Q', 'A'));
  });

  it('of another agent, and of an agent that there is not, is refused', async () => {
    const body = tried();
    await s1()('POST', '/test-sessions', body);
    const id = uuidv7();
    await s1()('POST', '/agents', { id, name: 'B', prompt: 'p' });
    expect(await s1()('POST', '/test-sessions', { ...body, agent_id: id })).toEqual(
      refused(409, 'the id belongs to a session of another agent', 'id_taken'),
    );
    expect(await s1()('POST', '/test-sessions', tried({ agent_id: 'nobody' }))).toEqual(
      refused(404, 'agent not found', 'not_found'),
    );
  });

  it('of another store is not found, and is another session under the same id', async () => {
    const body = tried();
    await s1()('POST', '/test-sessions', body);
    const s2 = internalCalls(bot, 'S2');
    expect(await s2('GET', `/test-sessions/${body.id}`)).toEqual(refused(404, 'session not found', 'not_found'));
    expect(await s2('GET', '/test-sessions')).toMatchObject({ body: { data: [], meta: { next_cursor: null } } });
  });

  it('stays when its agent is deleted; sessions are listed newest first, in pages, by agent', async () => {
    const s4 = internalCalls(bot, 'S4');
    const agents = [uuidv7(), uuidv7()];
    for (const id of agents) await s4('POST', '/agents', { id, name: 'N', prompt: 'p' });
    const sessions = [0, 1, 0].map((n) => tried({ agent_id: agents[n] }));
    for (const session of sessions) await s4('POST', '/test-sessions', session);
    await s4('DELETE', `/agents/${agents[0]}`);
    const list = async (query: string) => {
      const { data, meta } = (await s4('GET', `/test-sessions${query}`)).body as {
        data: { id: string }[];
        meta: { next_cursor: string | null };
      };
      return [data.map(({ id }) => sessions.findIndex((each) => each.id === id)), meta.next_cursor] as const;
    };
    const [ids, next] = await list('?limit=2');
    expect(ids).toEqual([2, 1]);
    expect(await list(`?limit=2&cursor=${next}`)).toEqual([[0], null]);
    expect((await list(`?agent_id=${agents[0]}`))[0]).toEqual([2, 0]);
  });
});
