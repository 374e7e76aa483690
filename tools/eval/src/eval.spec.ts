import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goldenCases, type GoldenCase } from './dialogues';
import { evaluate, report, type Ask, type Played } from './evaluation';

const demo = readFileSync(join(__dirname, '../dialogues/demo-shop.yaml'), 'utf8');

describe('dialogues', () => {
  it('of the demo shop are cases, each with an id that is the same every time', () => {
    const cases = goldenCases(demo, 'A1');
    expect(cases.length).toBeGreaterThan(5);
    expect(cases).toEqual(goldenCases(demo, 'A1'));
    const ids = [...cases, ...goldenCases(demo, 'A2')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it.each([
    ['nothing', '', /dialogues is a required field/],
    ['a misspelt expectation', 'dialogues: [{name: a, lines: [x], expect: {mustnt: [y]}}]', /mustnt/],
    ['no lines', 'dialogues: [{name: a, lines: [], expect: {}}]', /at least 1 items/],
    [
      'one name twice',
      'dialogues: [{name: a, lines: [x], expect: {}}, {name: a, lines: [y], expect: {}}]',
      /two dialogues are called "a"/,
    ],
  ])('with %s are refused with what is wrong', (_, yaml, problem) =>
    expect(() => goldenCases(yaml, 'A1')).toThrow(problem),
  );
});

const played = (status: Played['status'], failing = false): Played => ({
  ...{ id: 'R1', status, model: 'm', version: 2, passed: failing ? 1 : 2, total: 2, error: null },
  cases: [
    { id: '1', name: 'greets', passes: true, why: [], answer: ['Halo'], cost_micros: 100 },
    {
      id: '2',
      name: 'finds',
      passes: !failing,
      why: failing ? ['it did not say "x"'] : [],
      answer: ['y'],
      cost_micros: 50,
    },
  ],
});

/** The internal routes over a map of cases; what was asked of them. */
const fakeBot = (kept: Map<string, object>) => {
  const asked: string[] = [];
  let looks = 0;
  const ask: Ask = (method, path, body) => {
    asked.push(`${method} ${path.split('?')[0]}`);
    const id = path.split('/')[2] ?? '';
    if (method === 'DELETE') return Promise.resolve({ status: kept.delete(id) ? 200 : 404, body: { data: null } });
    if (path.startsWith('/evals?'))
      return Promise.resolve({ status: 200, body: { data: [...kept.keys()].map((one) => ({ id: one })) } });
    if (path === '/evals/run') return Promise.resolve({ status: 202, body: { data: played('waiting') } });
    if (path === '/evals/runs/R1')
      return Promise.resolve({ status: 200, body: { data: played((looks += 1) > 2 ? 'done' : 'running') } });
    const one = body as GoldenCase;
    const other = kept.has(one.id) && JSON.stringify(kept.get(one.id)) !== JSON.stringify(one);
    if (!other) kept.set(one.id, one);
    return Promise.resolve({ status: other ? 409 : 201, body: { data: one } });
  };
  return { ask, asked };
};

describe('an evaluation', () => {
  const cases = goldenCases(
    'dialogues: [{name: a, lines: [x], expect: {}}, {name: b, lines: [y], expect: {must: [z]}}]',
    'A1',
  );

  it('makes the cases those of the file, and waits until all were played', async () => {
    const edited = { ...cases[1], lines: ['before'] };
    const gone = goldenCases('dialogues: [{name: c, lines: [x], expect: {}}]', 'A1')[0]?.id ?? '';
    const kept = new Map<string, object>([
      [gone, {}],
      ['own', {}],
      [cases[1]?.id ?? '', edited],
    ]);
    const { ask, asked } = fakeBot(kept);
    const pauses: number[] = [];
    const result = await evaluate(ask, cases, { repeat: 2 }, (ms) => Promise.resolve(pauses.push(ms)));
    expect(result.status).toBe('done');
    expect([...kept.values()]).toEqual([{}, ...cases]);
    expect(pauses).toHaveLength(3);
    expect(asked).toContain(`DELETE /evals/${gone}`);
  });

  it('that bot-engine refuses says why', async () => {
    const ask: Ask = (_, path) =>
      Promise.resolve(
        path === '/evals/run' ? { status: 409, body: { message: 'not over' } } : { status: 201, body: { data: [] } },
      );
    await expect(evaluate(ask, cases, {}, () => Promise.resolve())).rejects.toThrow(
      'starting: bot-engine answers 409, not over',
    );
  });

  it('is reported case by case, with reasons and cost', () => {
    expect(report(played('done', true)).split('\n')).toEqual([
      'ok   greets',
      'FAIL finds',
      '       it did not say "x"',
      '       it said: y',
      '1 of 2 passed, version 2 on m, $0.000150',
    ]);
  });
});
