import { rendered } from '@platform/http';
import { Ours, Picture, previewUrl } from './picture';

const KEY = '0198c5c2-0000-7000-8000-000000000001';
const DISK = { publicUrl: 'https://shop.example', bucketUrl: undefined };
const BUCKET = { publicUrl: 'https://shop.example', bucketUrl: 'https://files.example/shop' };

const shown = (url: string, ours: typeof DISK | typeof BUCKET = DISK, isFirst = false): string => {
  const { html } = rendered(
    <Ours.Provider value={ours}>
      <Picture {...{ url, isFirst }} sizes="40vw" width={320} height={320} />
    </Ours.Provider>,
  );
  return html.replace(/^<!doctype html>/i, '');
};

it.each([
  ['on the disk', `https://shop.example/blob/S1/${KEY}.jpg`, DISK],
  ['on the disk, by its path', `/blob/S1/${KEY}.jpg`, DISK],
  ['in a bucket', `https://files.example/shop/public/S1/${KEY}.jpg`, BUCKET],
  ['on the disk, from before there was a bucket', `https://shop.example/blob/S1/${KEY}.jpg`, BUCKET],
])('a picture of ours %s is asked for in the size in which it is shown, at the host of the page', (_, url, ours) => {
  const of = (name: string): string => `/blob/S1/${KEY}.jpg?as=${name}`;
  const all = [160, 320, 640, 1280].map((width) => `${of(`w${width}`)} ${width}w`).join(', ');
  expect(shown(url, ours)).toBe(
    `<picture><source type="image/webp" srcset="${all}" sizes="40vw"/><img alt width="320" height="320" loading="lazy" src="${of('j640')}"/></picture>`,
  );
});

it.each([
  `https://shop.example/blob/S1/${KEY}.gif`,
  `https://elsewhere.example/blob/S1/${KEY}.jpg`,
  `https://shop.example.evil.example/blob/S1/${KEY}.jpg`,
  `https://files.example/shop/public/S1/${KEY}.jpg`,
  'javascript:alert(1)//.jpg',
])('%s is shown as it is', (url) =>
  expect(shown(url)).toBe(`<img alt width="320" height="320" loading="lazy" src="${url}"/>`),
);

it('one that is seen first is not put off', () =>
  expect(shown(`/blob/S1/${KEY}.png`, DISK, true)).toContain('loading="eager" fetchpriority="high"'));

it('a preview of a link shows it small, as a JPEG; one of others as it is', () => {
  const url = `https://shop.example/blob/S1/${KEY}.webp`;
  const other = 'https://elsewhere.example/a.jpg';
  expect([previewUrl(url, DISK), previewUrl(other, DISK)]).toEqual([`${url}?as=j640`, other]);
});
