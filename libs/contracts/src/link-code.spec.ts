import { linkCodeOf, withLinkCode } from './link-code';

it.each([
  ['Halo, saya mau pesan [#promo24]', 'promo24'],
  ['[#ab12]', 'ab12'],
  ['Halo [#PROMO24]', 'promo24'],
  ['Halo [#lama1] lagi [#baru2]', 'baru2'],
  ['Halo [#promo24] kak, ready?', 'promo24'],
  ['\u0000[#promo24]\ud800', 'promo24'],
])('the link of %j is %j', (text, code) => expect(linkCodeOf(text)).toBe(code));

it.each([
  '',
  'promo24',
  '[promo24]',
  '[#abc]',
  '[#promo-24]',
  '[#' + 'a'.repeat(17) + ']',
  '# [promo24]',
  '[# promo24]',
])('%j comes from no link', (text) => expect(linkCodeOf(text)).toBeUndefined());

it.each(['Halo', '', 'Halo [#lama1]'])('the text that a link prepares tells its code: %j', (text) =>
  expect(linkCodeOf(withLinkCode(text, 'promo24'))).toBe('promo24'),
);

it('a megabyte of openings is read at once', () => {
  expect(linkCodeOf('[#'.repeat(500_000))).toBeUndefined();
});
