// From the sign-in to a coupon, as somebody does it in a browser, with script and without.
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import { useCommerce } from '../commerce.fixture';
import { newPerson } from './browser.fixture';
import { launch, signInBy } from './chromium.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no coupon was made in a browser.\n');

const commerce = useCommerce();
const PHONE = { width: 390, height: 844 };
const codesOf = async (storeId: string): Promise<string[]> =>
  (await commerce.database.query<{ code: string }>('SELECT code FROM coupon WHERE store_id = $1', [storeId])).map(
    ({ code }) => code,
  );

const openForm = async (page: Page): Promise<void> => {
  await page.goto(`${commerce.url}/coupons`);
  await page.locator('.adder > summary').click();
};
const fill = async (page: Page, code: string, value: string): Promise<void> => {
  await page.locator('#code').fill(code);
  await page.locator('#value').fill(value);
};
const save = (page: Page) => page.locator('.adder form .save-bar button');

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path));

  describe.each([
    ['with script', true],
    ['without script', false],
  ])('%s', (_, javaScriptEnabled) => {
    let [page, storeId]: [Page | undefined, string] = [undefined, ''];
    const shown = (): Page => page as Page;
    beforeEach(async () => {
      const person = await newPerson(commerce);
      const context = await browser.newContext({ locale: 'id-ID', viewport: PHONE, javaScriptEnabled });
      [page, storeId] = [await signInBy(context, commerce.url, person.email), person.storeId];
      await openForm(shown());
    });
    afterEach(() => shown().context().close());

    it('a coupon is made, shown and said', async () => {
      await fill(shown(), 'HEMAT10', '10');
      await save(shown()).click();
      await shown().waitForURL(/\/coupons\/[0-9a-f-]{36}$/);
      expect(await shown().locator('h1').innerText()).toBe('HEMAT10');
      expect(await shown().locator('.toast').innerText()).toBe('Kupon HEMAT10 dibuat.');
      expect(await codesOf(storeId)).toEqual(['HEMAT10']);
    });

    it('a double click makes one, and going back and sending again makes no other', async () => {
      await fill(shown(), 'SEKALI', '10');
      await save(shown()).dblclick();
      await shown().waitForURL(/\/coupons\/[0-9a-f-]{36}$/);
      const made = shown().url();
      await shown().goBack();
      await shown().locator('.adder > summary').click();
      expect(await shown().locator('#code').inputValue()).toBe('SEKALI');
      await save(shown()).click();
      // Without script a browser that has not kept the page asks for it again: then it is another form, whose code is taken
      if (javaScriptEnabled) await shown().waitForURL(made);
      else await shown().locator('.alert', { hasText: 'Kode ini sudah dipakai.' }).waitFor();
      expect(await codesOf(storeId)).toEqual(['SEKALI']);
    });

    it('what is wrong stays as it was typed, is said at its input, and the way to it is one tap', async () => {
      await fill(shown(), 'x', 'sepuluh');
      await save(shown()).click();
      const summary = shown().locator('.alert.bad');
      await summary.waitFor();
      expect(await summary.locator('li').allInnerTexts()).toEqual([
        'Kode tidak benar.',
        'Nilai potongan harus berupa angka bulat.',
      ]);
      expect([await shown().locator('#code').inputValue(), await shown().locator('#value').inputValue()]).toEqual([
        ...['x', 'sepuluh'],
      ]);
      await until(() => summary.evaluate((element) => element === element.ownerDocument.activeElement));
      await summary.locator('a').first().click();
      await fill(shown(), 'BENAR', '10');
      await save(shown()).click();
      await shown().waitForURL(/\/coupons\/[0-9a-f-]{36}$/);
      expect(await codesOf(storeId)).toEqual(['BENAR']);
    });
  });

  it('with script a form that one goes back to and changes is another one', async () => {
    const person = await newPerson(commerce);
    const page = await signInBy(await browser.newContext({ viewport: PHONE }), commerce.url, person.email);
    for (const code of ['SATU', 'DUA']) {
      if (code === 'SATU') await openForm(page);
      else {
        await page.goBack();
        await page.locator('.adder > summary').click();
      }
      await fill(page, code, '10');
      await save(page).click();
      await page.waitForURL(/\/coupons\/[0-9a-f-]{36}$/);
    }
    expect((await codesOf(person.storeId)).sort()).toEqual(['DUA', 'SATU']);
    await page.context().close();
  });

  it('with script a search changes the list alone, and what is being typed elsewhere stays', async () => {
    const person = await newPerson(commerce);
    const page = await signInBy(
      await browser.newContext({ locale: 'id-ID', viewport: PHONE }),
      commerce.url,
      person.email,
    );
    for (const code of ['PAGI', 'MALAM']) {
      await openForm(page);
      await fill(page, code, '10');
      await save(page).click();
      await page.waitForURL(/\/coupons\/[0-9a-f-]{36}$/);
    }
    await openForm(page);
    await fill(page, 'SIANG', '5');
    await page.locator('input[type=search]').fill('mal');
    await page.locator('td.cell-main a', { hasText: 'PAGI' }).waitFor({ state: 'detached' });
    expect(await page.locator('td.cell-main a').allInnerTexts()).toEqual(['MALAM']);
    expect([await page.locator('#code').inputValue(), new URL(page.url()).searchParams.get('q')]).toEqual([
      'SIANG',
      'mal',
    ]);
    await page.context().close();
  });
};
if (executablePath) inBrowser(executablePath);

it('nobody has a coupon to begin with', async () =>
  expect(await codesOf((await newPerson(commerce)).storeId)).toEqual([]));
