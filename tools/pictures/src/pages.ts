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

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What the picture of a page is called: the same in every shop. */
export const nameOf = (path: string): string =>
  path.replaceAll(ID, 'one').split('/').filter(Boolean).join('-') || 'home';
