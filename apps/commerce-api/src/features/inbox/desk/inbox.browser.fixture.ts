import type { Browser, Page } from 'playwright-core';
import { PASSWORD } from '../../../web/browser.fixture';
import { agentIn, type World } from './desk.fixture';

export const PHONE = '6281234567890';
/** One green point. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const textsOf = (page: Page): Promise<string[]> =>
  page.locator('#thread .bubble[data-seq] .bubble-text').allInnerTexts();
export const waitingOf = (page: Page): Promise<number> => page.locator('#thread .bubble:not([data-seq])').count();
export const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `pesan ${from + n}`);

/** When something with these words has come to the open page. */
export const toldOf = async (page: Page, words: string): Promise<{ readonly come: Promise<void> }> => {
  const network = await page.context().newCDPSession(page);
  await network.send('Network.enable');
  const come = new Promise<void>((resolve) =>
    network.on('Network.eventSourceMessageReceived', ({ data }) => {
      if (data.includes(words)) resolve();
    }),
  );
  return { come };
};

const SIZE = { width: 390, height: 844 };

/** Members who answer on the screen of a phone. */
export const inboxBrowser = (world: World, browserOf: () => Browser) => {
  const signIn = async (page: Page, email: string) => {
    await page.goto(`${world.commerce.url}/login?next=/chats`);
    await page.locator('#email').fill(email);
    await page.locator('#password').fill(PASSWORD);
    await Promise.all([page.waitForURL('**/chats'), page.locator('main button').click()]);
  };
  /** A chat and its agent. Without a team she sees all. */
  const begun = async (teams = ['3']) => {
    const shop = await world.store();
    const chat = await shop.written(PHONE, 'pesan 0');
    const rina = await agentIn(world, shop, ...teams);
    const context = await browserOf().newContext({ locale: 'id-ID', viewport: SIZE });
    const page = await context.newPage();
    await signIn(page, rina.email);
    const open = async () => {
      await page.locator('.row a').first().click();
      await page.waitForURL(/\/chats\/./);
    };
    const write = async (text: string) => {
      await page.locator('#composer textarea').fill(text);
      await page.locator('.composer-send').click();
    };
    const sent = async () => (await world.sent(shop.storeId)).map(({ pesan }) => pesan);
    return { shop, chat, email: rina.email, page, context, open, write, sent };
  };
  return { signIn, begun };
};
