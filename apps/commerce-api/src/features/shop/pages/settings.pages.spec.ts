// The profile of a shop and its settings, in a browser.
import { useCommerce } from '../../../commerce.fixture';
import { openBrowser, signedIn } from '../../../web/browser.fixture';
import { settingGroupNames, settingGroups } from '../settings/public';
import { settingFields } from './settings.fields';

const commerce = useCommerce();

describe('a group of settings', () => {
  it.each(settingGroupNames)('%s has an input for each of its members, and is saved as it is', async (group) => {
    const { browser } = await signedIn(commerce);
    const members = Object.entries(settingGroups[group].defaults as object).flatMap(([name, value]) =>
      typeof value === 'object' ? Object.keys(value as object).map((inner) => `${name}[${inner}]`) : [name],
    );
    expect(settingFields[group].map(([name]) => name).toSorted()).toEqual(members.toSorted());
    const { text } = await browser.get(`/settings/${group}`);
    const shown = members.map((name) => [name, valueOf(text, name)] as const);
    const saved = await browser.post(`/settings/${group}`, { action: 'save', ...Object.fromEntries(shown) });
    expect(saved).toMatchObject({ status: 303, location: `/settings/${group}` });
    const after = await browser.get(`/settings/${group}`);
    expect(members.map((name) => [name, valueOf(after.text, name)])).toEqual(shown);
  });

  it('says what is wrong at the input, and keeps what was typed', async () => {
    const { browser } = await signedIn(commerce);
    await browser.get('/settings/order');
    const fields = { action: 'save', cancel_unpaid_hours: '9999', auto_complete_days: 'x' };
    const { status, text } = await browser.post('/settings/order', fields);
    expect([status, text.includes('value="9999"'), text.includes('harus berupa angka')]).toEqual([422, true, true]);
  });

  it('has the rate of the tax in percent, as people type it', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/settings/invoice');
    const typed = (rate: string) => ({ action: 'save', 'tax[mode]': 'added', 'tax[rate_bp]': rate });
    expect((await browser.post('/settings/invoice', typed('2,5'))).status).toBe(303);
    const kept = `SELECT value->'tax'->>'rate_bp' AS rate FROM setting WHERE store_id = $1 AND name = 'invoice'`;
    expect(await commerce.database.query(kept, [storeId])).toEqual([{ rate: '250' }]);
    expect(valueOf((await browser.get('/settings/invoice')).text, 'tax[rate_bp]')).toBe('2,5');
    const { status, text } = await browser.post('/settings/invoice', typed('1200'));
    expect([status, text.includes('harus dari 0 sampai 100')]).toEqual([422, true]);
  });

  it('of two who change it at once the later one sees both values, and loses nothing', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const other = await signedIn(commerce, 'admin', storeId);
    await browser.get('/settings/order');
    await other.browser.get('/settings/order');
    const fields = (hours: string) => ({ action: 'save', cancel_unpaid_hours: hours, auto_complete_days: '3' });
    expect((await browser.post('/settings/order', fields('12'))).status).toBe(303);
    const late = await other.browser.post('/settings/order', fields('48'));
    expect([late.status, late.text.includes('value="48"'), late.text.includes('Sekarang: 12')]).toEqual([
      409,
      true,
      true,
    ]);
    expect((await other.browser.post('/settings/order', fields('48'))).status).toBe(303);
  });

  it('that there is not is 404, and one is not changed by who may only look', async () => {
    const { browser, storeId } = await signedIn(commerce);
    for (const name of ['nothing', '__proto__', '%00', 'toString']) {
      const { status } = await browser.get(`/settings/${name}`);
      expect([name, status]).toEqual([name, 404]);
    }
    const find = `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at)
      VALUES ($1, '0199f7a0-0000-7000-8000-0000000000aa', 'Pembaca', '{settings.read}', now(), now())`;
    await commerce.database.query(find, [storeId]);
    const reader = await signedIn(commerce, 'cs', storeId);
    const become = `UPDATE membership SET system_role = NULL, role_id = '0199f7a0-0000-7000-8000-0000000000aa'
      WHERE store_id = $1 AND user_id = $2`;
    await commerce.database.query(become, [storeId, reader.userId]);
    const { text } = await reader.browser.get('/settings/order');
    expect([text.includes('<fieldset disabled>'), text.includes('save-bar')]).toEqual([true, false]);
    const isShut = async (by: typeof browser) => (await by.get('/settings/shop')).text.includes('<fieldset disabled>');
    expect([await isShut(browser), await isShut(reader.browser)]).toEqual([false, true]);
    expect((await reader.browser.post('/settings/order', { action: 'save' })).status).toBe(403);
  });
});

const valueOf = (html: string, name: string, form = 'save'): string => {
  const id = name.replace(/[[\].]+/g, '-').replace(/-$/, '');
  const input = new RegExp(
    `<(input|select|textarea) id="${form}-${id}"[^>]*>(.*?)(?=<div class="field|</fieldset)`,
    's',
  );
  const [tag = '', kind, rest = ''] = input.exec(html) ?? [];
  if (kind === 'input') return / value="([^"]*)"/.exec(tag)?.[1] ?? '';
  if (kind === 'textarea') return rest.split('</textarea>')[0] ?? '';
  return /<option value="([^"]*)" selected/.exec(rest)?.[1] ?? '';
};

describe('the chat button of the website', () => {
  const typed = {
    ...{ action: 'widget', enabled: 'true', title: 'Tanya <kami>', greeting: 'Halo!', color: '#ff8800' },
    ...{ position: 'left', device_id: '', allowed_hosts: 'Toko.example\r\n\r\nhttps://www.toko.example:8443/beli?a=b' },
  };
  const scriptOf = async (page: string): Promise<string> => {
    const [, address = ''] = /&lt;script src=&quot;(.*?)&quot; async>/.exec(page) ?? [];
    return (await openBrowser(commerce).get(address.replace(/^https?:\/\/[^/]*/, ''))).text;
  };

  it('is switched on by its form, with the line that puts it on a page, and off again', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await commerce.database.query("UPDATE store SET phone = '6281234567890' WHERE store_id = $1", [storeId]);
    const before = await browser.get('/settings/widget');
    expect([before.text.includes('Tombolnya masih dimatikan'), await scriptOf(before.text)]).toEqual([
      true,
      '/* off */',
    ]);
    expect(await browser.post('/settings/widget', typed)).toMatchObject({ status: 303, location: '/settings/widget' });
    const { text } = await browser.get('/settings/widget');
    expect([text.includes('Tombolnya masih dimatikan'), valueOf(text, 'title', 'widget')]).toEqual([
      false,
      'Tanya &lt;kami>',
    ]);
    const script = await scriptOf(text);
    expect(script).toContain('"href":"https://wa.me/6281234567890"');
    expect(script).toContain('"hosts":["toko.example","www.toko.example"]');
    await browser.post('/settings/widget', { ...typed, enabled: '', allowed_hosts: '' });
    expect(await scriptOf((await browser.get('/settings/widget')).text)).toBe('/* off */');
  });

  it('says at its input which address is none, and of two who change it the later one sees both values', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const other = await signedIn(commerce, 'admin', storeId);
    await browser.get('/settings/widget');
    await other.browser.get('/settings/widget');
    const wrong = await browser.post('/settings/widget', {
      ...typed,
      allowed_hosts: 'toko.example\njavascript:alert(1)',
    });
    expect([wrong.status, wrong.text.includes('tulis alamat situs saja, misalnya toko.example')]).toEqual([422, true]);
    expect(wrong.text).toContain('javascript:alert(1)</textarea>');
    expect(wrong.text).toContain('Hanya di situs ini 2: tulis');
    expect((await browser.post('/settings/widget', typed)).status).toBe(303);
    const late = await other.browser.post('/settings/widget', { ...typed, greeting: 'Hai!' });
    expect([late.status, late.text.includes('value="Hai!"'), late.text.includes('Sekarang: Halo!')]).toEqual([
      ...[409, true, true],
    ]);
  });
});

describe('the profile of the shop', () => {
  const hours = { 'hours[0][day]': '1', 'hours[0][open]': '', 'hours[0][close]': '' };
  const typed = {
    ...{ action: 'shop', name: 'Toko <Baru>', description: 'Sepatu\u202e', phone: '0812-3456-7890', ...hours },
    ...{ 'hours[1][day]': '2', 'hours[1][open]': '08:30', 'hours[1][close]': '17:00', 'address[city]': 'Bandung' },
  };

  it('is saved with the days that it is open, closed for buyers, and emptied again', async () => {
    const { browser, storeId } = await signedIn(commerce);
    await browser.get('/settings/shop');
    expect((await browser.post('/settings/shop', typed)).location).toBe('/settings/shop');
    const find = 'SELECT name, hours, address, phone, status FROM store WHERE store_id = $1';
    const [saved] = await commerce.database.query(find, [storeId]);
    expect(saved).toMatchObject({
      ...{ name: 'Toko <Baru>', phone: '6281234567890', address: { city: 'Bandung' } },
      hours: [{ day: 2, open: '08:30', close: '17:00' }],
    });
    const { text } = await browser.get('/settings/shop');
    expect([text.includes('Toko <Baru>'), text.includes('value="08:30"')]).toEqual([false, true]);
    const wrong = await browser.post('/settings/shop', { ...typed, 'hours[1][close]': '25:00', phone: 'x' });
    expect([wrong.status, wrong.text.includes('value="25:00"')]).toEqual([422, true]);
    // The day that is closed stays where it is, and the error stands at the day that is wrong
    expect(wrong.text).toMatch(/<input[^>]*name="hours\[1\]\[close\]"[^>]*aria-invalid="true"[^>]*value="25:00"/);
    await browser.get('/settings/shop');
    await browser.post('/settings/shop', { action: 'status', status: 'closed', message: 'Libur' });
    expect((await browser.get('/settings/shop')).text).toMatch(/name="message"[^>]*value="Libur"/);
    const { slug } =
      (await commerce.database.query<{ slug: string }>('SELECT slug FROM store WHERE store_id = $1', [storeId]))[0] ??
      {};
    expect((await openBrowser(commerce).get(`/s/${slug}`)).text).toContain(
      'Toko sedang tutup. Pesanan belum bisa dibuat. <bdi>Libur</bdi>',
    );
    const empty = { action: 'shop', name: 'Toko', description: '', phone: '', ...hours, 'address[city]': '' };
    await browser.post('/settings/shop', empty);
    expect((await commerce.database.query(find, [storeId]))[0]).toMatchObject({
      ...{ name: 'Toko', status: 'closed', hours: [], address: null, phone: null },
    });
  });

  it('keeps whom to ask for at its address, and its area while it is the same place', async () => {
    const { browser, storeId } = await signedIn(commerce);
    const address = { line: 'Jl. Braga 1', city: 'Bandung', area_id: 'IDNP9', name: 'Sari', note: 'Pagar biru' };
    await commerce.database.query('UPDATE store SET address = $2 WHERE store_id = $1', [
      ...[storeId, JSON.stringify(address)],
    ]);
    const find = 'SELECT address FROM store WHERE store_id = $1';
    const saved = async (city: string) => {
      await browser.get('/settings/shop');
      const place = { 'address[line]': 'Jl. Braga 2', 'address[city]': city };
      await browser.post('/settings/shop', { action: 'shop', name: 'Toko', ...place });
      return (await commerce.database.query<{ address: object }>(find, [storeId]))[0]?.address;
    };
    expect(await saved('Bandung')).toEqual({ ...address, line: 'Jl. Braga 2' });
    const { area_id: _, ...elsewhere } = address;
    expect(await saved('Medan')).toEqual({ ...elsewhere, line: 'Jl. Braga 2', city: 'Medan' });
  });

  it('another shop is opened once, where the plan has a place for it', async () => {
    const { browser, userId } = await signedIn(commerce);
    await browser.get('/settings/shop');
    const fields = { action: 'another', name: 'Toko Kedua' };
    const answers = [await browser.post('/settings/shop', fields), await browser.post('/settings/shop', fields)];
    const owned = 'SELECT count(*)::int AS shops FROM store WHERE owner_user_id = $1';
    const [{ shops } = { shops: 0 }] = await commerce.database.query<{ shops: number }>(owned, [userId]);
    expect(answers.map(({ status }) => status)).toEqual(shops === 2 ? [303, 303] : [402, 402]);
  });
});
