import { InvalidInput } from '@platform/errors';
import { NEWEST } from './keyset';
import { PageCursor } from './page-cursor';

const last = { lastAt: '2026-01-31 23:59:59.123456+07', id: '0190c2a0-0000-7000-8000-000000000001' };
const cursors = new PageCursor('a secret');

/** A validly signed cursor with content that no cursor of this release has. */
const signed = (held: unknown): string => {
  const stringify = jest.spyOn(JSON, 'stringify').mockReturnValueOnce(held === undefined ? '{' : String(held));
  try {
    return cursors.write('store-1', last);
  } finally {
    stringify.mockRestore();
  }
};

it('a cursor reads back as the keyset that was written, to the microsecond', () => {
  const cursor = cursors.write('store-1', last);
  expect(cursor).toMatch(/^[\w-]+\.[\w-]{22}$/);
  expect([cursors.read('store-1', cursor), cursors.read('store-1', cursors.write('store-1', NEWEST))]).toEqual([
    last,
    NEWEST,
  ]);
});

it.each([
  ['written for another question', cursors.write('store-2', last)],
  ['written with another secret', new PageCursor('another').write('store-1', last)],
  ['changed behind the signature', cursors.write('store-1', last).replace(/^./, 'X')],
  ['without a signature', cursors.write('store-1', last).split('.')[0] ?? ''],
  ['of characters that base64url does not know', '\u0000\ud800.✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓'],
  ['that is empty', ''],
  ['that is a number', 7 as never],
  ['that is a list', [cursors.write('store-1', last)] as never],
  ['of an instant that is no text', cursors.write('store-1', { ...last, lastAt: null as never })],
  ['of an id that is no text', cursors.write('store-1', { ...last, id: { id: 1 } as never })],
  ['of no list', signed(null)],
  ['of no JSON', signed(undefined)],
])('a cursor %s is refused as invalid input in the field `cursor`', (_, cursor) => {
  const refusal = new InvalidInput([
    { field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' },
  ]);
  expect(() => cursors.read('store-1', cursor)).toThrow(refusal);
});
