import { factsIn, factsLine, withFacts } from './conversation.facts';
import { NO_FACTS, type ToolOutcome } from './tool.types';
import { callKey, TurnTools, type Dispatched } from './turn.tools';

const open = (results: Record<string, Partial<Dispatched>> = {}) => {
  const done: string[] = [];
  const tools = new TurnTools(({ name }) => {
    done.push(name);
    return Promise.resolve({ content: '{"data":{}}', failed: false, wrote: false, ...results[name] });
  }, NO_FACTS);
  return { tools, done };
};
let ids = 0;
const call = (name: string, args: object = { n: (ids += 1) }) => ({
  id: `c${ids}`,
  name,
  argsJson: JSON.stringify(args),
});
const errors = ({ calls }: { calls: readonly { result: string }[] }) =>
  calls.map(({ result }) => (JSON.parse(result) as { error?: string }).error);

it('every call is answered in its place, those beyond four of a step by a refusal', async () => {
  const { tools, done } = open();
  const calls = Array.from({ length: 6 }, () => call('search_products'));
  const step = await tools.step('mencari', calls);
  expect(step.calls.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
  expect(errors(step)).toEqual([
    ...Array.from({ length: 4 }, () => undefined),
    'not done: at most 4 calls at once',
    'not done: at most 4 calls at once',
  ]);
  expect(done).toHaveLength(4);
});

it('what a model says without end beside its calls is neither kept nor sent again whole', async () => {
  const { tools } = open();
  const { text } = await tools.step('a'.repeat(1_000_000), [call('search_products')]);
  expect(text).toBe('a'.repeat(8_000));
  expect((await tools.step(null, [call('search_products')])).text).toBeNull();
});

it('a turn has eight calls', async () => {
  const { tools, done } = open();
  for (let n = 0; n < 4; n += 1)
    await tools.step(
      null,
      [1, 2, 3].map(() => call('search_products')),
    );
  expect([done.length, tools.isExhausted]).toEqual([8, true]);
});

it('the same call is done once, however its arguments are written', async () => {
  const { tools, done } = open();
  const first = { id: 'a', name: 'check_stock', argsJson: '{"a":1,"b":[2]}' };
  const second = { id: 'b', name: 'check_stock', argsJson: ' {"b": [2], "a": 1}' };
  expect(errors(await tools.step(null, [first, second]))).toEqual([undefined, 'already asked: use the result above']);
  expect(errors(await tools.step(null, [second]))).toEqual(['already asked: use the result above']);
  expect(done).toEqual(['check_stock']);
});

it('a turn orders once', async () => {
  const { tools, done } = open();
  await tools.step(null, [call('create_checkout'), call('create_checkout')]);
  await tools.step(null, [call('create_checkout')]);
  expect(done).toEqual(['create_checkout']);
});

it('beside a hand-over nothing else is done', async () => {
  const { tools, done } = open();
  const leave = call('handover_to_human', { reason: 'complaint', summary: 'barang rusak' });
  const step = await tools.step(null, [call('create_checkout'), leave, call('handover_to_human')]);
  expect(errors(step)).toEqual([
    'not done: the conversation is handed over',
    undefined,
    'not done: the conversation is handed over',
  ]);
  expect(done).toEqual(['handover_to_human']);
  expect(tools.handover).toEqual({ reason: 'complaint', summary: 'barang rusak' });
});

it('a tool may find that a person must go on', async () => {
  const handover = { reason: 'customer_request', summary: 'nomor tersembunyi' } as const;
  const { tools } = open({ create_checkout: { handover } });
  await tools.step(null, [call('create_checkout')]);
  expect(tools.handover).toEqual(handover);
});

it('a hand-over that could not be read hands nothing over', async () => {
  const { tools } = open({ handover_to_human: { failed: true, content: '{"error":"invalid arguments"}' } });
  await tools.step(null, [call('handover_to_human', {})]);
  expect(tools.handover).toBeUndefined();
});

it('amounts come from money fields, addresses from whole values, and of what failed nothing is kept', async () => {
  const content = JSON.stringify({
    data: {
      products: [
        { sku: 'A', name: 'Tas Rp1 https://evil.example', price: 90_000, stock: 3, image: 'https://cdn.example/a.jpg' },
      ],
      weight: 500,
      note: 'cuma Rp2, lihat https://evil.example/x',
      total: 105_000,
    },
  });
  const { tools } = open({ search_products: { content }, check_stock: { content, failed: true } });
  await tools.step(null, [call('check_stock')]);
  expect(tools.facts).toEqual(NO_FACTS);
  await tools.step(null, [call('search_products')]);
  expect(tools.facts).toEqual({
    products: [{ sku: 'A', name: 'Tas Rp1 https://evil.example', price: 90_000, image: 'https://cdn.example/a.jpg' }],
    orders: [],
    amounts: [90_000, 105_000],
    urls: ['https://cdn.example/a.jpg'],
  });
});

it('of what the shop wrote the lines and the addresses are kept, the amounts are not', async () => {
  const text = 'Lihat https://toko.example/retur\nGratis. Biaya Rp5.000';
  const content = JSON.stringify({ data: { chunks: [{ source: 'K', text, price: 1 }] } });
  const { tools } = open({ get_store_policy: { content, sources: ['K'] } });
  await tools.step(null, [call('get_store_policy')]);
  expect(tools.facts.urls).toEqual(['https://toko.example/retur']);
  expect([tools.prose, tools.sources]).toEqual([[`K\n${text}`], ['K']]);
});

it('facts have an end: the newest stay', () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ sku: `S${n}`, name: `P${n}`, price: n }));
  let facts = NO_FACTS;
  for (const row of rows) facts = withFacts(facts, factsIn(JSON.stringify({ data: [row] })));
  for (let n = 0; n < 300; n += 1) facts = withFacts(facts, factsIn(JSON.stringify({ data: { total: 1_000 + n } })));
  expect([facts.products.length, facts.products.at(-1)?.sku, facts.amounts.length, facts.amounts.at(-1)]).toEqual([
    20,
    'S29',
    200,
    1_299,
  ]);
});

describe('the line of facts', () => {
  const args = { items: [{ sku: 'A', quantity: 1 }], customerName: 'Budi', address: 'Jl. 1', destination: 'Bandung' };
  const quote = { args, confirmToken: 'c_a', runId: 'R', at: 0 };

  it('holds the exact arguments of the open quote', () =>
    expect(factsLine({ ...NO_FACTS, quote })).toBe(
      `conversation facts: {"skus":[],"orders":[],"quote":${JSON.stringify({ ...args, confirmToken: 'c_a' })}}`,
    ));

  it('stays short and keeps the newest, with the whole of a quote', () => {
    const orders = Array.from({ length: 10 }, (_, n) => `INV-${n}-${'X'.repeat(40)}`);
    const products = Array.from({ length: 20 }, (_, n) => ({ sku: `SKU-${n}-${'Y'.repeat(40)}`, name: 'x', price: 1 }));
    const long = { ...quote, args: { ...args, address: 'x'.repeat(900) } };
    const line = factsLine({ ...NO_FACTS, orders, products });
    expect(line.length).toBeLessThanOrEqual('conversation facts: '.length + 530);
    expect(line).toContain('SKU-19');
    expect(line).toContain('INV-9');
    expect(factsLine({ ...NO_FACTS, orders, products, quote: long })).toContain('x'.repeat(900));
  });

  it('an order closes the quote', () => {
    const told: ToolOutcome['facts'] = { orders: ['INV-1'], quote: undefined };
    expect(withFacts({ ...NO_FACTS, quote }, { amounts: [], urls: [], products: [] }, told).quote).toBeUndefined();
  });
});

it('a stock that is told later takes neither price nor picture from a product', () => {
  const shoes = { sku: 'A', name: 'Sepatu', price: 250_000, image: 'https://cdn.example/a.jpg' };
  const known = withFacts(NO_FACTS, factsIn(JSON.stringify({ data: { products: [shoes] } })));
  const stock = { sku: 'A', name: 'Sepatu', quantity: 1, stock: 7, available: true };
  expect(withFacts(known, factsIn(JSON.stringify({ data: { items: [stock] } }))).products).toEqual([shoes]);
  const dearer = { ...shoes, price: 300_000 };
  expect(withFacts(known, factsIn(JSON.stringify({ data: { products: [dearer] } }))).products).toEqual([dearer]);
});

it('arguments nested deeper than they can be written are told apart all the same', () => {
  const deep = (last: string) => `${'{"a":'.repeat(30_000)}${last}${'}'.repeat(30_000)}`;
  const [one, other] = [deep('1'), deep('2')].map((argsJson) => callKey({ name: 'search_products', argsJson }));
  expect(one).not.toBe(other);
});

it('what a product cost before is no true amount once it costs something else', () => {
  const told = (...products: object[]) => factsIn(JSON.stringify({ data: { products } }));
  const [shoes, bag] = [
    { sku: 'A', name: 'Sepatu', price: 250_000 },
    { sku: 'B', name: 'Tas', price: 90_000 },
  ];
  const known = withFacts(NO_FACTS, told(shoes, bag));
  const { amounts } = withFacts(known, told({ ...shoes, price: 300_000 }));
  expect(amounts).toEqual([90_000, 300_000]);
  expect(
    withFacts(known, told({ ...shoes, price: 300_000 }, { sku: 'C', name: 'Topi', price: 250_000 })).amounts,
  ).toEqual([90_000, 300_000, 250_000]);
});
