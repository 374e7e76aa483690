import { Choice, Flag, Int, List, Nested, Text, writerOf } from '@platform/validation';
import type { Bench, Figures } from './bench.types';
import { alternate, ratioOf } from './rounds';

const ROUNDS = 9;
const REPLIES = 2_000;
const ROWS = 50;
const CPU = 'CPU µs/reply';

class Warehouse {
  @Text() id!: string;
  @Text() name!: string;
  @Text() city!: string;
  @Text() area_id!: string;
}

class Product {
  @Text({ format: 'uuid' }) id!: string;
  @Text() sku!: string;
  @Text() name!: string;
  @Text() category!: string;
  @Choice(['active', 'draft']) status!: 'active' | 'draft';
  @Int() price!: number;
  @Int() stock!: number;
  @Flag() low_stock!: boolean;
  @Text() description!: string;
  @Text({ nullable: true }) image!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant' }) updated_at!: string;
  @Nested(() => Warehouse) warehouse!: Warehouse;
}

class Products {
  @List(() => Product) data!: Product[];
}

const product = (at: number): Product => ({
  id: `01937a3c-5d2e-7c41-9b1a-${String(at).padStart(12, '0')}`,
  sku: `SKU-${at}`,
  name: `Sepatu lari hitam ${at}`,
  category: 'shoes',
  status: 'active',
  price: 150_000 + at,
  stock: at,
  low_stock: at % 2 === 0,
  description: 'Sepatu lari ringan untuk jalan raya, sol karet',
  image: null,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  warehouse: { id: `w${at}`, name: 'Gudang pusat', city: 'Jakarta', area_id: '31' },
});

const repliesOf = (row: (at: number) => object) => ({ data: Array.from({ length: ROWS }, (_, at) => row(at)) });

const replies = {
  declared: repliesOf(product),
  undeclared: repliesOf((at) => ({ ...product(at), cost: 90_000, store_id: 'S1' })),
  dates: repliesOf((at) => ({ ...product(at), created_at: new Date(at), updated_at: new Date(at) })),
};

/** CPU time of one reply, measured in this process, which does nothing else meanwhile. */
const measured = (reply: () => string) => async (): Promise<Figures> => {
  const before = process.cpuUsage();
  let bytes = 0;
  for (let at = 0; at < REPLIES; at++) bytes += reply().length;
  const { user, system } = process.cpuUsage(before);
  return { [CPU]: (user + system) / REPLIES, 'bytes/reply': bytes / REPLIES };
};

/** What writing a reply by its DTO adds to JSON.stringify of the same rows. */
export const bench: Bench = {
  name: 'reply-writer',
  run: async (report) => {
    const write = writerOf(Products);
    for (const [kind, reply] of Object.entries(replies)) {
      report.progress(`${ROWS} rows, ${kind}, ${ROUNDS} rounds`);
      const found = await alternate(
        {
          'by the DTO': measured(() => JSON.stringify(write(reply))),
          'JSON.stringify alone': measured(() => JSON.stringify(reply)),
        },
        ROUNDS,
      );
      report.table(`${ROWS} rows of 12 members and an object, ${kind}`, found);
      const ratio = ratioOf(found['by the DTO'], found['JSON.stringify alone'], CPU);
      report.ratio(kind, ratio, 'CPU, writing by the DTO and JSON.stringify : JSON.stringify alone');
    }
    report.note(
      'Declared: rows as the DTO says. Undeclared: two more columns in each, which JSON.stringify alone sends and the DTO does not. Dates: two members are Dates.',
    );
  },
};
