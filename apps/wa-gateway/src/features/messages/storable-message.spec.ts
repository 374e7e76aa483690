import { storableMessage } from './storable-message';

const message = { id: '1', chat: '62812@s.whatsapp.net', fromMe: false, at: 1, kind: 'chat', raw: {} } as const;
const emoji = (count: number): string => '😀'.repeat(count);

it.each([
  ['as long as receivers take it is kept', emoji(32_768), emoji(32_768)],
  ['with one emoji too many loses that', emoji(32_769), emoji(32_768)],
  ['whose cut falls into an emoji loses that', `a${emoji(32_768)}`, `a${emoji(32_767)}`],
  ['much too long is cut', emoji(200_000), emoji(32_768)],
])('a text of emoji %s', (_, text, kept) => {
  expect(storableMessage({ ...message, text, caption: text })).toEqual({ ...message, text: kept, caption: kept });
});
