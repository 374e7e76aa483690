import type { DemoShop } from '@platform/stack/demo-shop';
import { PIECES } from './money/stack';

const GOODS_OF_BUYERS = 10;

/** What the customers of the bot buy. */
export const OF_THE_BOT = { sku: 'CHAOS-BOT', words: 'payung lipat' };

/** What is sold in a run and by nobody before: the stock of these is explained by the run alone. */
export const GOODS: DemoShop['products'] = [
  ...Array.from({ length: GOODS_OF_BUYERS }, (_, n) => ({
    ...{ sku: `CHAOS-${n}`, name: `Barang ${n}`, category: 'Barang', description: '' },
    ...{ price: 10_000 + 777 * n, stock: PIECES },
  })),
  {
    ...{ sku: OF_THE_BOT.sku, name: 'Payung Lipat Nusa', category: 'Barang', description: 'Payung lipat yang ringan.' },
    ...{ price: 55_000, stock: PIECES },
  },
];
