import { uuidv5 } from '@platform/runtime';

/** Ids of what the demo shop has are derived from their names, so that they are the same every time. */
const NAMESPACE = 'b0a7c4de-0f0a-5a7b-9d51-6f1f6c0d5e11';

/** The id of a thing that has no time: the same store, kind and name always give the same one. */
export const idOf = (storeId: string, kind: string, name: string): string =>
  uuidv5(NAMESPACE, `${storeId}/${kind}/${name}`);

/**
 * The id of something that happened, in the form of a UUID of version 7: lists and timelines are sorted by it. `turn` is its place among
 * those of one millisecond, below 4096.
 */
export const idAt = (at: Date, name: string, turn = 0): string => {
  const time = at.getTime().toString(16).padStart(12, '0');
  const variantAndRest = uuidv5(NAMESPACE, name).slice(19);
  return `${time.slice(0, 8)}-${time.slice(8)}-${(0x7000 | turn).toString(16)}-${variantAndRest}`;
};

/** Numbers that look like chance and are the same for the same name (mulberry32). */
export class Chance {
  private state: number;

  constructor(name: string) {
    this.state = Number.parseInt(uuidv5(NAMESPACE, name).slice(0, 8), 16);
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** Whether something happens that happens so often of 100 times. */
  percent(often: number): boolean {
    return this.next() * 100 < often;
  }

  pick<const List extends readonly [unknown, ...unknown[]]>(list: List): List[number] {
    return list[this.whole(0, list.length - 1)];
  }

  /** One of the list, each as often as its weight says. */
  weighted<T>(list: readonly [T, ...T[]], weightOf: (one: T) => number): T {
    let left = this.next() * list.reduce((sum, one) => sum + weightOf(one), 0);
    return list.find((one) => (left -= weightOf(one)) < 0) ?? list[0];
  }
}
