import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buyersPages, mainPages, nameOf } from './pages';

/** A phone, and a screen on a desk. */
export const WIDTHS = [390, 1280] as const;
export const SCHEMES = ['light', 'dark'] as const;
const LOOKS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ width, scheme })));
const HEIGHT = 844;

export interface Place {
  readonly url: string;
  /** The address of the shop that its buyers see. */
  readonly storefront: string;
  readonly owner: { readonly email: string; readonly password: string };
}

const signIn = async (page: Page, { url, owner }: Place): Promise<void> => {
  await page.goto(`${url}/login`);
  await page.locator('#email').fill(owner.email);
  await page.locator('#password').fill(owner.password);
  await Promise.all([page.waitForURL((now) => now.pathname !== '/login'), page.locator('main button').first().click()]);
};

/** The whole page, with what sticks to an edge of the screen at the edge of the page: the screen is as high as the page. */
const shoot = async (page: Page, path: string, width: number, colorScheme: (typeof SCHEMES)[number]): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: HEIGHT });
  const height = await page.evaluate('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(HEIGHT, Number(height)) });
  await page.screenshot({ path });
};

/**
 * Takes a picture of each main page at both widths and in both schemes into the folder: of the back office as the owner sees them, and of the
 * shop on a buyer's way to its checkout; `say` hears of each page. Resolves to the names of the files.
 */
export const takePictures = async (
  browser: Browser,
  place: Place,
  folder: string,
  say: (page: string) => void,
): Promise<string[]> => {
  const context = await browser.newContext({ locale: 'id-ID', viewport: { width: WIDTHS[0], height: HEIGHT } });
  try {
    const page = await context.newPage();
    await signIn(page, place);
    const files: string[] = [];
    for (const path of [...(await mainPages(page, place.url)), ...(await buyersPages(page, place.storefront))]) {
      say(path);
      await page.goto(new URL(path, place.url).href);
      for (const { width, scheme } of LOOKS) {
        const file = `${nameOf(path)}.${width}.${scheme}.png`;
        await shoot(page, join(folder, file), width, scheme);
        files.push(file);
      }
    }
    return files;
  } finally {
    await context.close();
  }
};
