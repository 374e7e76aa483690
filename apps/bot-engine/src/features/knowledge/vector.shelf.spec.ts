import type { Database } from '@platform/data';
import { bytesOf, VectorShelves } from './vector.shelf';

/** A database whose agents have these vectors, and which counts who was read. */
const reading = (rows: readonly object[]) => {
  const read: string[] = [];
  const query = async (_: string, [storeId]: unknown[]) => (read.push(String(storeId)), rows);
  return { read, shelves: new VectorShelves({ query } as unknown as Pick<Database, 'query'>, 'm') };
};

it('agents without any vector do not fill the memory: those who asked least recently are read anew', async () => {
  const { read, shelves } = reading([]);
  for (let n = 0; n < 60_000; n++) await shelves.of(`S${n}`, 'A1', 1);
  await shelves.of('S59999', 'A1', 1);
  await shelves.of('S0', 'A1', 1);
  expect([read.length, read.at(-1)]).toEqual([60_001, 'S0']);
});

it('the vectors of an agent are read once for each version', async () => {
  const { read, shelves } = reading([{ id: 'c1', embedding: bytesOf(Float32Array.of(1, 0)) }]);
  for (const version of [1, 1, 2, 2]) expect((await shelves.of('S1', 'A1', version)).ids).toEqual(['c1']);
  expect(read).toEqual(['S1', 'S1']);
});

it('twenty turns that ask for the same agent at once read its vectors once', async () => {
  const { read, shelves } = reading([{ id: 'c1', embedding: bytesOf(Float32Array.of(1, 0)) }]);
  const found = await Promise.all(Array.from({ length: 20 }, () => shelves.of('S1', 'A1', 1)));
  expect([read, new Set(found).size]).toEqual([['S1'], 1]);
});
