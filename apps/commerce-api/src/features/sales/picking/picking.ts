import type { Sql } from '@platform/data';
import { cut } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { Typed } from '../../../web/sessions/drafts';
import { linesOnSale, type StockedLine } from '../carts/public';
import { linesTyped, textOf, type TypedLine } from './picking.typed';

/** Characters of a search. */
const MOST_WORDS = 200;

/** Goods that can be picked. */
export interface Found {
  readonly variant_id: string;
  readonly name: string;
  readonly sku: string;
  readonly price: number;
  /** Null: as much as is asked for. */
  readonly stock: number | null;
}

export interface PickingParts {
  readonly database: Sql;
  /** What is on sale under these words, a few of them. */
  readonly goods: (caller: Caller, words: string) => Promise<readonly Found[]>;
}

/** A line of a form; without a name it is not on sale any more. */
export interface PickedLine extends TypedLine {
  readonly name: string | undefined;
  readonly price: number | undefined;
  /** How many there are, where that is fewer than are wanted. */
  readonly left?: number | undefined;
}

/** What a form with goods shows of them. */
export interface Picking {
  readonly lines: readonly PickedLine[];
  readonly found: readonly Found[];
}

/** Whether its quantity is one. */
export const isCountable = ({ qty }: TypedLine): boolean => /^\d{1,4}$/.test(qty) && Number(qty) > 0;

interface Asked {
  /** What the lines are called. */
  readonly list: string;
  /** What was called so when it was picked, by the id of the variant. */
  readonly names?: ReadonlyMap<string, string>;
}

/** The goods that were picked, and those that a search finds. */
export const pickingFor = async (
  { database, goods }: PickingParts,
  caller: Caller,
  typed: Typed,
  { list, names }: Asked,
): Promise<Picking & { readonly onSale: readonly StockedLine[] }> => {
  const [typedLines, words] = [linesTyped(typed, list), cut(textOf(typed, 'q'), MOST_WORDS)];
  const wanted = typedLines.map((line) => ({ ...line, qty: isCountable(line) ? Number(line.qty) : 1 }));
  const known = await linesOnSale(database, caller.storeId, wanted);
  const lines = typedLines.map((line, at): PickedLine => {
    return { ...line, name: known[at]?.name ?? names?.get(line.variant_id), price: known[at]?.price };
  });
  const found = words === '' || words.includes('\0') ? [] : await goods(caller, words);
  return { lines, found, onSale: known.filter((line) => line !== undefined) };
};
