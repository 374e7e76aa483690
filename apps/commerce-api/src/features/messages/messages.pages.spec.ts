// The words of the shop in a browser without script: what it says by itself, and quick replies.
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../commerce.fixture';
import { signedIn } from '../../web/browser.fixture';

const commerce = useRunning(startCommerce);
const PATH = '/templates';

const begun = async () => {
  const shop = await signedIn(commerce);
  const { browser, storeId } = shop;
  const act = async (fields: Record<string, string>) => {
    await browser.get(PATH);
    return browser.post(PATH, fields);
  };
  const rows = <Row extends object>(table: 'message_template' | 'quick_reply') =>
    commerce.database.query<Row & { id: string }>(`SELECT * FROM ${table} WHERE store_id = $1`, [storeId]);
  return { ...shop, act, rows };
};

it('an event has the usual words until the shop has its own, and again when those are deleted', async () => {
  const { browser, act, rows } = await begun();
  const usual = await browser.get(PATH);
  expect(usual.text.match(/class="chip plain">Bawaan</g)).toHaveLength(10);
  const words = { action: 'write.order_paid', event: 'order_paid', body: 'Lunas, {{buyer_name}}!', active: 'true' };
  expect((await act(words)).location).toBe(PATH);
  const [own] = await rows<{ body: string; active: boolean }>('message_template');
  expect(own).toMatchObject({ body: 'Lunas, {{buyer_name}}!', active: true });
  const id = own?.id ?? '';
  await act({ action: `save.${id}`, body: 'Lunas!' });
  expect(await rows('message_template')).toMatchObject([{ body: 'Lunas!', active: false }]);
  await act({ action: `remove.${id}` });
  expect(await rows('message_template')).toEqual([]);
});

it('a variable that the event has not stands at its input, and a second one in use is said in words', async () => {
  const { act, rows } = await begun();
  const words = { action: 'write.order_paid', event: 'order_paid', body: 'Resi {{waybill}}', active: 'true' };
  const wrong = await act(words);
  expect([wrong.status, wrong.text.includes('>Resi {{waybill}}</textarea>'), await rows('message_template')]).toEqual([
    ...[422, true, []],
  ]);
  await act({ ...words, body: 'Lunas' });
  // A page that was open before
  const second = await act({ ...words, body: 'Lunas juga' });
  expect(second.status).not.toBe(303);
  expect((await rows('message_template')).length).toBe(1);
});

it('a quick reply is made once, found, changed unless somebody else did so, and deleted', async () => {
  const { browser, act, rows } = await begun();
  await browser.get(PATH);
  const fields = { action: 'add', shortcut: 'bayar', body: '<i>BCA</i> 123' };
  const { location } = await browser.post(PATH, fields);
  const taken = await act({ ...fields, shortcut: 'BAYAR' });
  expect([location, taken.status, taken.text.includes('Singkatan ini sudah dipakai.')]).toEqual([PATH, 409, true]);
  const found = await browser.get(`${PATH}?q=bca`);
  expect([found.text.includes('/bayar'), found.text.includes('<i>BCA')]).toEqual([true, false]);
  expect((await browser.get(`${PATH}?q=tidakada`)).text).toContain('Tidak ada yang cocok');
  const [reply] = await rows('quick_reply');
  const id = reply?.id ?? '';
  const { text } = await browser.get(PATH);
  const seen = new RegExp(`value="${id}"/><input type="hidden" name="seen" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const change = (body: string) =>
    browser.send(PATH, { ...browser.hidden('/logout'), action: `change.${id}`, id, seen, shortcut: 'bayar', body });
  expect((await change('Mandiri 456')).location).toBe(PATH);
  await browser.get(PATH);
  const stale = await change('BNI 789');
  expect([stale.status, stale.text.includes('BNI 789'), stale.text.includes('Sekarang: Mandiri 456')]).toEqual([
    ...[409, true, true],
  ]);
  await act({ action: `forget.${id}` });
  expect(await rows('quick_reply')).toEqual([]);
});

it('rows of another shop are not to be changed or deleted', async () => {
  const [mine, theirs] = [await begun(), await begun()];
  await theirs.act({ action: 'add', shortcut: 'halo', body: 'Halo' });
  const [{ id = '' } = {}] = await theirs.rows('quick_reply');
  await mine.browser.get(PATH);
  const { status } = await mine.browser.send(PATH, { ...mine.browser.hidden('/logout'), action: 'forget', id });
  expect([status, (await theirs.rows('quick_reply')).length]).toEqual([404, 1]);
});
