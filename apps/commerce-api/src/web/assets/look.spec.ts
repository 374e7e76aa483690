import { lookOf, lookUrl } from './look';

const sheetOf = (url: string | undefined) => lookOf(String(url).replace('/assets/', ''));

it('a look has a stylesheet that follows from its name, in which what was not chosen can be read', () => {
  const url = lookUrl({ background: '#101010', accent: '#ffe000', shape: 'pill' });
  expect(url).toBe('/assets/look.101010--ffe000-pill.css');
  expect(sheetOf(url)).toBe(
    [
      '.look,body:has(>main>.look){background:#101010;color:#ffffff}',
      '.look .look-button{background:#ffe000;border-color:#ffe000;color:#14211b}',
      '.look .look-button{border-radius:999px}',
    ].join('\n'),
  );
  expect(sheetOf(lookUrl({ text: '#ffffff' }))).toBe('.look,body:has(>main>.look){background:#14211b;color:#ffffff}');
});

it('the usual look has none, and what is no colour never gets into one', () => {
  const hostile = ['red', '#fff', '#ffffff;}', 'url(x)'].map((background) => lookUrl({ background }));
  expect([lookUrl({}), ...hostile]).toEqual(Array(5).fill(undefined));
  const names = ['look.css', 'look.zzzzzz---.css', 'look.ffffff---round.css', 'look.ffffff---.css.js', 'app.css'];
  expect(names.map(lookOf)).toEqual(Array(5).fill(undefined));
});
