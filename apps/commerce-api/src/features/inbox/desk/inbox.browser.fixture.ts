import type { Browser, Page } from 'playwright-core';
import { PASSWORD } from '../../../web/browser.fixture';
import { agentIn, type World } from './desk.fixture';

export const PHONE = '6281234567890';
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
