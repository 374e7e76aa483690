import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '@platform/runtime';
import { startHttpServer, useOpened } from '@platform/testing';
import { chromium } from 'playwright-core';
import { nameOf } from './pages';
import { takePictures } from './take';

it.each([
  ['/', 'home'],
  ['/orders', 'orders'],
  ['/orders/01a222c9-198d-7000-b922-11918a964ae9', 'orders-one'],
  ['/orders/create', 'orders-create'],
  ['/s/toko-nusa/products/kaos', 's-toko-nusa-products-kaos'],
  ['/checkout/S1.01a222c9-198d-7000-b922-11918a964ae9.secret', 'checkout-one'],
])('the picture of %s is called %s in every shop', (path, name) => expect(nameOf(path)).toBe(name));

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no picture was taken.\n');
const opened = useOpened();

const page = (main: string): string =>
  `<!doctype html><nav><a href="/orders">Orders</a><a href="/help#more">More</a></nav><main>${main}</main>`;
const PAGES: Readonly<Record<string, string>> = {
  '/login': page('<form action="/dashboard"><input id="email"><input id="password"><button>Sign in</button></form>'),
  '/': page(''),
  '/dashboard': page('Home'),
  '/orders': page(
    `<a href="/orders/create">New</a><a href="/orders/1">One</a><a href="/orders/2">Two</a><a href="/orders/export">File</a>`,
  ),
  '/orders/create': page('New'),
  '/s/toko/products': page('<a href="/s/toko">Home</a><a href="/s/toko/products/hat">Hat</a>'),
  '/s/toko/products/hat': page('<form method="post" action="/checkout/1"><button>Buy</button></form>'),
  '/s/toko': page('Shop'),
  '/checkout/1': page('Checkout'),
  '/orders/1': page('<p style="height:3000px">One'),
};

/** Width and height of a PNG (its chunk IHDR). */
const sizeOf = (path: string): readonly [number, number] => {
  const bytes = readFileSync(path);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

const look = (executable: string): void =>
  it('pictures are of the places of the menu, of what makes a new row and of one row, and of the way to buy, whole, at both widths and in both schemes', async () => {
    const shop = opened(
      await startHttpServer(({ url = '' }, response) => {
        const known = PAGES[new URL(url, 'http://shop').pathname];
        response.writeHead(known === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(known);
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'platform-pictures-'));
    const browser = opened(
      await chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-gpu'] }),
    );
    try {
      const said: string[] = [];
      const owner = { email: 'sari@toko.example', password: 'secret' };
      const files = await takePictures(
        browser,
        { url: shop.url, storefront: `${shop.url}/s/toko`, owner },
        folder,
        (path) => said.push(path),
      );
      const buyers = ['/s/toko', '/s/toko/products', '/s/toko/products/hat', '/checkout/1'];
      expect(said).toEqual(['/', '/orders', '/orders/create', '/orders/1', ...buyers]);
      expect(readdirSync(folder).sort()).toEqual([...files].sort());
      expect(files.slice(0, 4)).toEqual(
        ['390.light', '390.dark', '1280.light', '1280.dark'].map((kind) => `home.${kind}.png`),
      );
      expect(sizeOf(join(folder, 'orders-create.1280.dark.png'))).toEqual([1280, 844]);
      expect(sizeOf(join(folder, 'orders-1.390.light.png'))[1]).toBeGreaterThan(3_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
if (executablePath) look(executablePath);
