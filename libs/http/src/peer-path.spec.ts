import { path } from './peer-path';

it.each([
  ['a b', 'a%20b'],
  ['6281@s.whatsapp.net', '6281%40s.whatsapp.net'],
  ['?x=1#y', '%3Fx%3D1%23y'],
  ['%2e%2e', '%252e%252e'],
  ['...', '...'],
  [5, '5'],
])("%j becomes one encoded segment of a sibling's path", (id, segment) => {
  expect(path('/x/{id}/y', { id })).toEqual({ template: '/x/{id}/y', address: `/x/${segment}/y` });
});

it.each(['', '.', '..', '../admin', 'a/b', 'a\\b', 'a\u0000', '\ud800', 'x'.repeat(256)])(
  '%j is refused as a segment of a path',
  (id) => {
    expect(() => path('/x/{id}', { id })).toThrow(expect.objectContaining({ kind: 'notFound', message: 'Not found' }));
  },
);

it('a dollar sign in a path value is left as it is', () => {
  expect(path('/x/{a}/{b}', { a: '$&', b: "$'" }).address).toBe("/x/%24%26/%24'");
});

it('a path without parameters needs no values', () => {
  expect(path('/api/contact')).toEqual({ template: '/api/contact', address: '/api/contact' });
});
