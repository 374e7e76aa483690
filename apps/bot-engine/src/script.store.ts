import type { ScriptStore } from '@platform/data';

/** Redis' lists and sorted sets for the twins of scripts: a key whose last element goes is gone. */

export const listOf = (store: ScriptStore, key: string): readonly string[] => store.get<string[]>(key) ?? [];

export const pushed = (store: ScriptStore, key: string, lines: readonly string[]): void => {
  const list = store.get<string[]>(key);
  if (list) for (const line of lines) list.push(line);
  else if (lines.length > 0) store.set(key, [...lines]);
};

export const taken = (store: ScriptStore, key: string): readonly string[] => {
  const list = listOf(store, key);
  store.delete(key);
  return list;
};

/** LREM of all equal elements: how many there were. */
export const removed = (store: ScriptStore, key: string, line: string): number => {
  const list = listOf(store, key);
  const left = list.filter((each) => each !== line);
  if (left.length === 0) store.delete(key);
  else store.replace(key, left);
  return list.length - left.length;
};

type Scores = Map<string, number>;

const NONE: ReadonlyMap<string, number> = new Map();

export const scoresOf = (store: ScriptStore, key: string): ReadonlyMap<string, number> =>
  store.get<Scores>(key) ?? NONE;

export const scored = (store: ScriptStore, key: string, member: string, score: number): void => {
  const scores = store.get<Scores>(key);
  if (scores) scores.set(member, score);
  else store.set(key, new Map([[member, score]]));
};

export const unscored = (store: ScriptStore, key: string, member: string): void => {
  const scores = store.get<Scores>(key);
  if (scores?.delete(member) && scores.size === 0) store.delete(key);
};

/** Members with at most that score, in Redis' order. */
export const upTo = (scores: ReadonlyMap<string, number>, max: number): [string, number][] =>
  [...scores].filter(([, score]) => score <= max).sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1));
