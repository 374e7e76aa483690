import { gear } from './gear';
import type { Goods } from './goods.row';
import { wear } from './wear';

export type { Goods } from './goods.row';

/** Each with the category that it is part of. */
export const categories: readonly (readonly [name: string, parent?: string])[] = [
  ['Sepatu'],
  ['Sepatu Trail', 'Sepatu'],
  ['Sandal', 'Sepatu'],
  ['Pakaian'],
  ['Kaos', 'Pakaian'],
  ['Celana', 'Pakaian'],
  ['Jaket', 'Pakaian'],
  ['Aksesoris'],
  ['Tas', 'Aksesoris'],
  ['Topi', 'Aksesoris'],
  ['Alat Olahraga'],
  ['Yoga', 'Alat Olahraga'],
  ['Badminton', 'Alat Olahraga'],
];

const COSTS = [52, 55, 58, 61];

/** What the demo shop sells, besides what it is given. */
export const goods: readonly Goods[] = [...wear, ...gear].map(
  ([code, name, category, drawing, price, weightG, liked, colours, description, more], at) => ({
    ...{ code, name, category, drawing, price, weightG, liked, colours, description },
    ...{ costs: COSTS[at % COSTS.length] ?? 55, ...more },
  }),
);
