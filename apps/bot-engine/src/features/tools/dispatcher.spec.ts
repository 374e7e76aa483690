import { NotFound, Unavailable } from '@platform/errors';
import { createLogger, silentLogger } from '@platform/runtime';
import { List, Text } from '@platform/validation';
import { CommerceRefusal, NotAvailable } from '../../clients/commerce.client';
import { createDispatcher } from './dispatcher';
import { NO_FACTS, type Tool, type ToolContext } from './tool.types';
import { WantedItem } from './wanted.dto';

class Arguments {
  @Text({ max: 20 }) query!: string;
  @List(() => WantedItem, { optional: true }) items?: WantedItem[];
}

const tool = (run: Tool<Arguments>['run'], more: Partial<Tool> = {}): Tool => ({
  name: 'search_products',
  description: 'test',
  args: Arguments,
  kind: 'read',
  timeoutMs: 1_000,
  run: run as Tool['run'],
  ...more,
});

const contextOf = (storeId = 'S1', tools = ['search_products', 'check_stock']): ToolContext =>
  ({
    runId: 'R',
    store: { id: storeId },
    agent: { tools },
    facts: NO_FACTS,
    signal: new AbortController().signal,
  }) as unknown as ToolContext;

const call = (argsJson: string, name = 'search_products') => ({ id: 'c1', name, argsJson });
const answer = async (one: Tool, argsJson = '{"query":"x"}', context = contextOf()) => {
  const { content, ...rest } = await createDispatcher([one], silentLogger).dispatch(call(argsJson), context);
  return { ...rest, content: JSON.parse(content) as unknown };
};
const says = (result: object) => tool(() => Promise.resolve({ result }));

it('a result is wrapped as data, without characters that nobody sees', async () =>
  expect(await answer(says({ name: 'Se\u200bpatu\u202e\u0007', rows: [1, 2, 3, 4, 5, 6] }))).toEqual({
    failed: false,
    wrote: false,
    content: { data: { name: 'Sepatu', rows: [1, 2, 3, 4, 5] } },
  }));

it('a result is at most 4 kB of valid JSON, rows first', async () => {
  const { content } = await answer(
    says({ rows: Array.from({ length: 5 }, (_, n) => ({ n, text: '😀'.repeat(400) })) }),
  );
  expect(JSON.stringify(content).length).toBeLessThan(4_097);
  expect(content).toMatchObject({ data: { rows: [{ n: 0 }, { n: 1 }] } });
  expect(await answer(says({ text: '😀'.repeat(5_000) }))).toMatchObject({
    content: { data: { text: '😀'.repeat(800) } },
  });
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`member${n}`, n]));
  expect(await answer(says(many))).toMatchObject({ content: { error: 'too_long' } });
});

it.each([
  ['{"query": "sepat', 'arguments are no JSON object'],
  ['[]', 'arguments are no JSON object'],
  ['null', 'arguments are no JSON object'],
  ['', 'invalid arguments'],
  ['{"query":"x","idStore":"S2"}', 'invalid arguments'],
  ['{"query":"x","items":[{"sku":"A","price":1}]}', 'invalid arguments'],
  [`{"query":"${'x'.repeat(21)}"}`, 'invalid arguments'],
])('arguments %s are an error result: %s', async (argsJson, error) => {
  const run = jest.fn();
  expect(await answer(tool(run), argsJson)).toMatchObject({ failed: true, content: { error } });
  expect(run).not.toHaveBeenCalled();
});

it('a tool that is not there, or not of this agent, is an error result with the names of those that are', async () => {
  const box = createDispatcher([says({}), { ...says({}), name: 'check_stock' }], silentLogger);
  const { content } = await box.dispatch(call('{}', 'grant_discount'), contextOf());
  expect(JSON.parse(content)).toEqual({ error: 'unknown tool', tools: 'search_products, check_stock' });
  const other = await box.dispatch(call('{}', 'check_stock'), contextOf('S1', ['search_products']));
  expect(JSON.parse(other.content)).toEqual({ error: 'unknown tool', tools: 'search_products' });
  expect(box.schemas(contextOf('S1', ['check_stock'])).map(({ name }) => name)).toEqual(['check_stock']);
});

it.each([
  [new NotAvailable(), { error: 'not_available' }],
  [new NotFound('x'), { error: 'not_found' }],
  [new Unavailable('x'), { error: 'unavailable' }],
  [
    new CommerceRefusal('out_of_stock', { errors: { 'items.0': ['left 2'] } }),
    { error: 'out_of_stock', errors: { 'items.0': ['left 2'] } },
  ],
  [new TypeError('secret of ours'), { error: 'failed' }],
])('what a tool throws is an error result: %s', async (thrown, content) =>
  expect(await answer(tool(() => Promise.reject(thrown)))).toEqual({ failed: true, wrote: false, content }),
);

it('a tool that throws before it promises anything is an error result too', async () =>
  expect(
    await answer(
      tool(() => {
        throw new Error('at once');
      }),
    ),
  ).toMatchObject({ content: { error: 'failed' } }));

it('an unforeseen error is logged without what the customer wrote', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', write: (line) => lines.push(line) });
  await createDispatcher([tool(() => Promise.reject(new Error('boom')))], logger).dispatch(
    call('{"query":"CANARY"}'),
    contextOf(),
  );
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('CANARY');
});

it('a tool that hangs is an error result when its time is up, also when it does not heed its signal', async () => {
  const hangs = tool(() => new Promise(() => undefined), { timeoutMs: 20 });
  expect(await answer(hangs)).toEqual({ failed: true, wrote: false, content: { error: 'timeout' } });
});

it('a store whose calls hang does not take the places of another', async () => {
  const hangs = tool((_, { store, signal }) =>
    store.id === 'S1'
      ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      : Promise.resolve({ result: { ok: true } }),
  );
  const box = createDispatcher([hangs], silentLogger);
  const stuck = Array.from({ length: 500 }, () => box.dispatch(call('{"query":"x"}'), contextOf('S1')));
  expect(await box.dispatch(call('{"query":"x"}'), contextOf('S2'))).toMatchObject({ failed: false });
  expect(new Set((await Promise.all(stuck)).map(({ content }) => content))).toEqual(new Set(['{"error":"timeout"}']));
});

it('texts that PostgreSQL cannot store do not reach a tool', async () => {
  const run = jest.fn(() => Promise.resolve({ result: {} }));
  await answer(tool(run), '{"query":"a\\u0000b\\ud800"}');
  expect(run).toHaveBeenCalledWith({ query: 'ab\ufffd' }, expect.anything());
});
