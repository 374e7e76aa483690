// What the files of the pages weigh on their way to a phone, and that they are all there is.
import { brotliCompressSync } from 'node:zlib';
import { useCommerce } from '../../commerce.fixture';
import { openBrowser } from '../browser.fixture';
import { icons } from '../ui/icon';
import { iconSprite } from './icons.sprite';
import { makeAssets } from './made.assets';

const commerce = useCommerce();
const files = makeAssets();
/** Bytes that each may have, compressed: a first visit is to stay under 35 KB with its page (commerce-web.md 12). */
const MOST = {
  'app.css': 4_600,
  'shop.css': 4_096,
  'app.js': 1_250,
  'inbox.css': 1_800,
  'inbox.js': 5_750,
  // Fetched by whoever records a voice message, once
  'voice.js': 100_000,
  'market.css': 1_300,
  'market.js': 900,
  'pixel.js': 900,
  'widget.js': 1_000,
  'htmx.js': 12_500,
  'icons.svg': 5_000,
  'icon.svg': 400,
  'push.js': 1_500,
  'worker.js': 1_300,
  'app.webmanifest': 400,
  'icon-192.png': 3_000,
  'icon-512.png': 8_000,
  'icon-maskable.png': 8_000,
} as const;

it.each(Object.entries(MOST))('%s is there, and at most %i bytes compressed', (name, most) => {
  const bytes = brotliCompressSync(files[name as keyof typeof MOST]).length;
  expect([bytes > 0, bytes <= most]).toEqual([true, true]);
});

it('no script asks for eval or another address, and no style brings anything from elsewhere', () => {
  const [script, style] = [String(files['app.js']), String(files['app.css'])];
  expect(script).not.toMatch(/\beval\b|new Function|https?:/);
  expect(style).not.toMatch(/@import|url\(|https?:/);
});

it('the sprite holds each icon that pages use, once', () => {
  const names = [...iconSprite().matchAll(/<symbol id="([\w-]+)"/g)].map(([, name]) => name);
  expect(names).toEqual([...icons]);
  expect(new Set(names).size).toBe(names.length);
});

it('a page names its files by their content, and browsers may keep them for ever', async () => {
  const { text } = await openBrowser(commerce).get('/login');
  const names = [...text.matchAll(/(?:href|src)="(\/assets\/[^"#]+)"/g)].map(([, url = '']) => url);
  expect(names.length).toBe(4);
  for (const url of names) {
    const response = await fetch(`${commerce.url}${url}`);
    const { status, headers } = response;
    await response.arrayBuffer();
    expect([url, status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
      ...[url, 200, 'public, max-age=31536000, immutable', 'nosniff'],
    ]);
  }
});
