import { uuidv7 } from '@platform/runtime';
import { conversationId, conversationIdOf, conversationOf } from './conversation.id';

const REF = { instance: 'dev-1', nohp: '6281234567890', team: '3', chatId: `S1.${uuidv7()}` };
const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const PARTS = [REF.instance, REF.nohp, REF.team, REF.chatId];

it('an id names its conversation, of a group and of whoever hides the number as well', () => {
  for (const nohp of [REF.nohp, '120363000000000001@g.us', `ID.ENT.${'x'.repeat(128)}@bsuid`])
    expect(conversationId.read(conversationIdOf({ ...REF, nohp }))).toEqual({ ...REF, nohp });
});

it.each([
  ['', 'nothing'],
  ['x', 'no JSON'],
  [packed({ ...REF }), 'an object'],
  [packed(PARTS.slice(1)), 'too few'],
  [packed([...PARTS, 'x']), 'too many'],
  [packed([1, ...PARTS.slice(1)]), 'a number'],
  [packed(['', ...PARTS.slice(1)]), 'an empty part'],
  [packed(['d'.repeat(65), ...PARTS.slice(1)]), 'a part that is too long'],
  [packed(['dev\u0000', ...PARTS.slice(1)]), 'U+0000'],
  [`${packed(PARTS)}=`, 'padding'],
  [packed(PARTS).replace(/^(.)/, '$1!'), 'a sign that base64url does not have'],
  ['A'.repeat(601), 'too much'],
])('%s names none: %s', (id) => {
  expect(conversationOf(id)).toBeUndefined();
  expect(() => conversationId.read(id)).toThrow('Not found');
});
