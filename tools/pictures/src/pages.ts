import type { Page } from 'playwright-core';

/** Lists whose rows are opened show one row; more of the same would show nothing new. */
const ROWS_OF_A_LIST = 1;

const pathsIn = async (page: Page, links: string): Promise<string[]> => {
  const here = new URL(page.url());
  const found = await page.locator(links).evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
  return found
    .map((href) => new URL(href))
    .filter(({ origin, hash }) => origin === here.origin && hash === '')
    .map(({ pathname }) => pathname);
};

/**
 * The pages that are looked at: those that the menu leads to, and of each list the form for a new row and its first row. What leads out of
 * the menu's places, signs out or downloads a file is no page of theirs.
 */
export const mainPages = async (page: Page, start: string): Promise<string[]> => {
  await page.goto(start);
  const places = [...new Set([new URL(page.url()).pathname, ...(await pathsIn(page, 'nav a[href]'))])];
  const pages: string[] = [];
  for (const place of places) {
    await page.goto(new URL(place, start).href);
    const below = [...new Set(await pathsIn(page, 'main a[href]'))].filter(
      (path) => path.startsWith(`${place}/`) && !path.endsWith('/export'),
    );
    const made = below.filter((path) => path.endsWith('/create'));
    const rows = below.filter((path) => !made.includes(path)).slice(0, ROWS_OF_A_LIST);
    pages.push(place, ...made, ...rows);
  }
  return [...new Set(pages)];
};

/**
 * What a buyer sees of a shop, in the order of their way through it: its first page, all it sells, a product, and the checkout of that. They
 * put it into their cart on the way.
 */
export const buyersPages = async (page: Page, storefront: string): Promise<string[]> => {
  await page.goto(`${storefront}/products`);
  const [product] = (await pathsIn(page, 'main a[href]')).filter((path) => path.includes('/products/'));
  if (product === undefined) return [storefront, `${storefront}/products`];
  await page.goto(new URL(product, storefront).href);
  const left = page.waitForURL(({ pathname }) => pathname !== product);
  await Promise.all([left, page.locator('main form[method="post"] button').last().click()]);
  return [storefront, `${storefront}/products`, product, page.url()].map((url) => new URL(url, storefront).pathname);
};

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The secret of a cart. */
const CART = /(?<=^\/checkout)\/.+/;

/** What the picture of a page is called: the same in every shop. */
export const nameOf = (path: string): string =>
  path.replace(CART, '/one').replaceAll(ID, 'one').split('/').filter(Boolean).join('-') || 'home';
