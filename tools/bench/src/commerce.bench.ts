import type { Bench } from './bench.types';
import { againstSql, growth } from './read-scale';
import { wholeOrder } from './order-whole';
import { servedShop } from './shop';
import { ceilingNote } from './sql-ceiling';

const LARGE = 200_000;
const SMALL = 10_000;
/** Kept apart: whole orders change it. */
const WRITTEN = 20_000;

/** What people who run a shop read all day, in a large shop. */
export const bench: Bench = {
  name: 'commerce',
  onlyNamed: 'it first seeds a shop of 200,000 orders (takes minutes, kept in .data/bench)',
  run: async (report) => {
    const large = await servedShop(report, LARGE);
    const small = await servedShop(report, SMALL);
    const found = await againstSql(report, large);
    const list = found.get(32)?.products;
    report.ratio('list', list?.['HTTP : SQL'] ?? NaN, 'pages of products a second : SQL alone, 32 connections');
    await growth(report, small, large);
    await wholeOrder(report, await servedShop(report, WRITTEN), WRITTEN);
    report.note(ceilingNote);
  },
};
