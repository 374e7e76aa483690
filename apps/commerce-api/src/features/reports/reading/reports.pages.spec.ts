// Reports and the sources of visitors, as a browser without script meets them.
import { until, useRunning } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { signedIn } from '../../../web/browser.fixture';

const commerce = useRunning(() => startCommerce({ TRUST_PROXY: '127.0.0.1' }));
const DAY = NOW.slice(0, 10);

/** A shop that has sold one shirt for cash. */
const sold = async () => {
  const shop = await ownStore(commerce, [{ name: 'Kaos <b>Nusa</b>', price: 85_000 }]);
  const [{ id: variant_id } = { id: '' }] = await commerce.database.query<{ id: string }>(
    'SELECT id FROM variant WHERE store_id = $1',
    [shop.storeId],
  );
  const order = { contact: { name: 'Budi', phone: '6281234567890' }, payment_method: 'cash' };
  const placed = await shop.ask<{ id: string }>('POST', '/order', { ...order, items: [{ variant_id, qty: 1 }] });
  const paid = { order_id: placed.body.data.id, status: 'paid', method: 'cash' };
  await shop.ask('POST', '/order/change_payment_status', paid);
  const { browser } = await signedIn(commerce, 'admin', shop.storeId);
  return { ...shop, browser };
};
const filesIn = (html: string): string[] =>
  [...html.matchAll(/href="[^"]*(\/blob\/[^"]+)"/g)].map(([, path = '']) => path);

describe('the reports', () => {
  it('tell what was sold in the last 30 days, as a chart with its numbers', async () => {
    const { browser } = await sold();
    const { status, text } = await browser.get('/reports');
    expect([status, text.match(/<rect class="chart-bar"/g)?.length]).toEqual([200, 30]);
    expect(text).toMatch(/<span>Bersih<\/span><strong><span class="money"><small>Rp<\/small>.85\.000</);
    expect(text).toMatch(/<th scope="row">1 Mar<\/th><td>Rp.85\.000<\/td>/);
  });

  it.each([
    ['products', 'Kaos &lt;b>Nusa&lt;/b>'],
    ['payments', 'Tunai'],
    ['sales&group=channel', 'Dicatat sendiri'],
    ['agents', 'Angka chat sedang tidak bisa dibaca.'],
  ])('of %s say %s', async (report, said) => {
    const { browser } = await sold();
    const { status, text } = await browser.get(`/reports?report=${report}`);
    expect([status, text.includes(said)]).toEqual([200, true]);
  });

  it('of days that are none, or too many, are a page that says so', async () => {
    const { browser } = await sold();
    for (const days of ['from=2026-03-02&to=2026-03-01', 'from=1990-01-01&to=2026-03-01', 'from=x', 'report=x'])
      expect([days, (await browser.get(`/reports?${days}`)).status]).toEqual([days, 422]);
  });

  it('are written into a file once, which only whoever asked for it finds', async () => {
    const { browser, storeId } = await sold();
    await browser.get(`/reports?report=products&from=${DAY}&to=${DAY}`);
    const hidden = browser.hidden('/reports/export');
    const first = await browser.send('/reports/export', hidden);
    const again = await browser.send('/reports/export', hidden);
    expect([first.location, again.location]).toEqual(Array(2).fill(`/reports?report=products&from=${DAY}&to=${DAY}`));
    const text = await until(
      async () => (await browser.get('/reports')).text,
      (html) => filesIn(html).length > 0,
    );
    const [file = '', ...others] = filesIn(text);
    const answer = await fetch(`${commerce.url}${file}`);
    expect([others, answer.status, (await answer.text()).includes('Kaos <b>Nusa</b>')]).toEqual([[], 200, true]);
    const other = await signedIn(commerce, 'finance', storeId);
    expect(filesIn((await other.browser.get('/reports')).text)).toEqual([]);
  });

  it('ask for themselves again as long as one is being written', async () => {
    const { browser } = await sold();
    await browser.get('/reports');
    await browser.post('/reports/export', {});
    const part = { 'hx-request': 'true', 'hx-target': 'div#files' };
    const { text } = await browser.get('/reports', part);
    expect(text).toMatch(/^<!doctype html><div id="files"/);
  });
});

describe('where visitors come from', () => {
  it('is told by source, with how far they went; hostile sources are words', async () => {
    const { browser, storeId } = await sold();
    const event = { event: 'page_view', visitor_id: 'v1', consent: true, store_slug: storeId };
    const url = `https://shop.example/?utm_source=${encodeURIComponent('<script>alert(1)</script>')}`;
    const agent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36';
    await fetch(`${commerce.url}/api/tracking/event`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify({ ...event, event_id: 'e1', url }),
    });
    const { status, text } = await browser.get('/analytics');
    expect([status, text.includes('&lt;script>alert(1)&lt;/script>'), text.includes('<script>alert')]).toEqual([
      ...[200, true, false],
    ]);
    expect(text).toMatch(/<bdi>Berkunjung<\/bdi><b>1<\/b>/);
  });
});
