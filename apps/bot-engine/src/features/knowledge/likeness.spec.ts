import { mostLike } from './likeness';

it('a vector of another length is of another model, and like nothing', () => {
  const flat = Array.from({ length: 30 }, (_, at) => ({ id: `flat-${at}`, vector: Float32Array.of(0, 1, 0) }));
  const all = [
    ...flat,
    { id: 'alike', vector: Float32Array.of(1, 0, 0) },
    { id: 'short', vector: Float32Array.of(1) },
    { id: 'long', vector: Float32Array.of(1, 0, 0, 0) },
  ];
  const shelf = { ids: all.map(({ id }) => id), vectors: all.map(({ vector }) => vector), lacking: 0 };
  expect(mostLike(Float32Array.of(1, 0, 0), shelf, 4)).toEqual([{ id: 'alike', likeness: 1 }]);
});
