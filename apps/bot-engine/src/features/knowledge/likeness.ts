import type { Shelf } from './vector.shelf';

export interface Like {
  readonly id: string;
  readonly likeness: number;
}

const product = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/**
 * How far a chunk must stand out from what the question has in common with all chunks, in standard deviations. Models differ in what
 * two texts without a common meaning have in common, so that no likeness as such says anything.
 */
const OUTSTANDING = 4;
/** And how like they must be all the same: where no chunk is like the question, one still stands out by chance. */
const LEAST = 0.35;

/**
 * The chunks that are outstandingly like the question, best first. Compared one by one: an agent has at most 2,000. Vectors of another
 * length are another model's, whatever its name is, and compare with nothing.
 */
export const mostLike = (question: Float32Array, shelf: Shelf, limit: number): Like[] => {
  const alike = shelf.vectors.map(({ length }) => length === question.length);
  const ids = shelf.ids.filter((_, at) => alike[at]);
  const likenesses = shelf.vectors.filter((_, at) => alike[at]).map((vector) => product(question, vector));
  const mean = likenesses.reduce((sum, value) => sum + value, 0) / (likenesses.length || 1);
  const variance = likenesses.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (likenesses.length || 1);
  const floor = mean + OUTSTANDING * Math.sqrt(variance);
  return ids
    .map((id, at) => ({ id, likeness: likenesses[at] ?? 0 }))
    .filter(({ likeness }) => likeness > floor && likeness >= LEAST)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, limit);
};

/** Of reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). */
const K = 60;

/** One ranking of several: what stands high in any of them, and higher what stands in more of them. */
export const fused = (rankings: readonly (readonly string[])[]): string[] => {
  const scores = new Map<string, number>();
  for (const ranking of rankings) ranking.forEach((id, at) => scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1)));
  return [...scores].toSorted(([, one], [, other]) => other - one).map(([id]) => id);
};
