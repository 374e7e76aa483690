// Forms with a file where there is script: the answer takes the place of the page, and what is too large is not even sent.
import { environment } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';
import { complaintsOf, launch, signInBy } from '../../../web/chromium.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no upload was tried in a browser.\n');

const commerce = useRunning(() => startCommerce({ CHAT_URL: 'http://127.0.0.1:9' }));
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SEND = 'form[enctype] button.button-main';

const inBrowser = (path: string): void => {
  const browser = useRunning(() => launch(path));

  it('a file is sent by script, and what is wrong with one stands at its input', async () => {
    const { email } = await signedIn(commerce);
    const page = await signInBy(await browser.newContext({ locale: 'id-ID' }), commerce.url, email);
    const complaints = complaintsOf(page);
    await page.goto(`${commerce.url}/media`);
    await page.locator('.adder summary').click();
    const send = async (name: string, buffer: Buffer) => {
      await page.setInputFiles('input[type=file]', { name, mimeType: 'image/png', buffer });
      await page.locator(SEND).click();
    };
    await send('besar.png', Buffer.alloc(11 * 1024 * 1024));
    expect(await page.locator('.upload p').innerText()).toContain('terlalu besar');
    await send('kaos.png', PNG);
    expect(await page.locator('.toast').innerText()).toBe('kaos.png diunggah.');
    expect([page.url(), complaints]).toEqual([`${commerce.url}/media`, []]);
    await page.locator('.adder summary').click();
    await send('gambar.svg', Buffer.from('<svg/>'));
    expect(await page.locator('#upload-file-error').innerText()).toContain('tidak diterima');
    await page.context().close();
  });

  it('a button that only looks something up does so with a file beside it, and nothing is kept', async () => {
    const { email, storeId } = await signedIn(commerce);
    const device = `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at)
      VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 'WA', now(), now())`;
    await commerce.database.query(device, [storeId]);
    const page = await signInBy(await browser.newContext({ locale: 'id-ID' }), commerce.url, email);
    const complaints = complaintsOf(page);
    await page.goto(`${commerce.url}/broadcasts/create`);
    await page.selectOption('#audience-all', 'true');
    await page.setInputFiles('input[type=file]', { name: 'promo.png', mimeType: 'image/png', buffer: PNG });
    await page.locator('button[name=look]').click();
    await page.getByText('0 orang akan mendapatnya.').waitFor();
    const kept = await commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [storeId]);
    expect([kept, complaints]).toEqual([[], []]);
    await page.context().close();
  });
};
if (executablePath) inBrowser(executablePath);
