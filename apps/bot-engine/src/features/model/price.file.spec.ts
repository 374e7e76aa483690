import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import { priceFile } from './price.file';
import { priceRepository } from './price.repository';

const database = useDatabase(TABLES);
let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'prices-'))));
afterAll(() => rm(folder, { recursive: true }));

const prices = () => priceRepository(database, systemClock);
const start = async (content: string | object, list = prices()) => {
  const path = join(folder, 'prices.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  await priceFile({ LLM_PRICES_FILE: path }, list).start?.();
  return list;
};

it('the prices of the file are those that count, also after the file has changed', async () => {
  const small = { model: 'small', input_micros: 150_000, cached_micros: 75_000, output_micros: 600_000 };
  const main = { model: 'main', input_micros: 5, output_micros: 7 };
  const list = await start({ prices: [small, main, { ...main, valid_from: '2999-01-01T00:00:00Z', input_micros: 9 }] });
  const before = { input: 150_000n, cached: 75_000n, output: 600_000n };
  expect(await list.current()).toEqual(
    new Map([
      ['main', { input: 5n, cached: 5n, output: 7n }],
      ['small', before],
    ]),
  );
  await list.putDefault('small', { input: 1n, cached: 1n, output: 1n });
  await start({ prices: [{ ...main, input_micros: 6, valid_from: '2026-01-01' }] }, list);
  expect(await list.current()).toEqual(
    new Map([
      ['main', { input: 6n, cached: 6n, output: 7n }],
      ['small', before],
    ]),
  );
});

it('without the setting nothing is read', async () => {
  await expect(priceFile({ LLM_PRICES_FILE: undefined }, prices()).start?.()).resolves.toBeUndefined();
});

const SHAPE = /It must hold JSON like \{"prices":/;
const row = { model: 'a', input_micros: 1, output_micros: 1 };

it.each<[string, string | object, string]>([
  ['no JSON', '{"prices":', 'The file of LLM_PRICES_FILE is no JSON.'],
  ['an empty list', { prices: [] }, 'prices must contain at least 1 item'],
  ['a list without a name', [row], 'prices is a required field'],
  ['a price in dollars', { prices: [{ ...row, input_micros: 0.15 }] }, 'prices[0].input_micros must be'],
  ['a negative price', { prices: [{ ...row, output_micros: -1 }] }, 'prices[0].output_micros must be 0 or greater'],
  ['a misspelt member', { prices: [{ ...row, cache_micros: 1 }] }, 'prices[0].cache_micros'],
  ['a price twice', { prices: [row, row] }, 'holds two prices of a from -infinity'],
])('a file with %s fails the start and says why', async (_, content, why) => {
  await expect(start(content)).rejects.toThrow(why);
  await expect(start(content)).rejects.toThrow(SHAPE);
});

it('a file that is not there fails the start, without telling where it should be', async () => {
  const missing = priceFile({ LLM_PRICES_FILE: join(folder, 'canary') }, prices()).start?.();
  await expect(missing).rejects.toThrow(/^The file of LLM_PRICES_FILE cannot be read\. It must hold JSON like/);
});
