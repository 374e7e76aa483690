import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { refused, succeeded } from '../../../asked.fixture';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { bearer, NOW, startCommerce } from '../../../commerce.fixture';
import { digitalShop, linksIn } from '../digital.fixture';
import { revokeDeliveries } from '../rights/public';
import { buyersOf, noDownload, type Bought } from './bought.fixture';

const LINKS = { PAY_LINK_SECRET: 'a secret of links', TRUST_PROXY: '127.0.0.1' };
const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ ...LINKS, CHAT_URL: chat.url }));
const { fetched, asked, bought, mailTo, observed, goTo } = buyersOf(commerce);
afterEach(() => goTo(NOW));

const PHONE_ONLY = { name: 'Wati', phone: '6281299999999' };

describe('a link that is sent again', () => {
  const resend = ({ shop }: Bought, id: string, channel = 'email') =>
    shop.ask<{ sent_to: string; expires_at: string }>('POST', `/digital-store/deliveries/${id}/resend`, { channel });

  it('is as good as the first; the old one stops', async () => {
    const made = await bought({ delivery: { max_downloads: 1, valid_days: 2 } });
    const { shop, order, email, links } = made;
    const [row] = await shop.deliveries(order);
    await fetched(links[0] ?? '');
    goTo('2026-03-02T08:00:00.000Z');
    expect(await resend(made, row?.id ?? '')).toEqual(
      succeeded(200, 'Download link created', { sent_to: email, expires_at: '2026-03-04T08:00:00.000Z' }),
    );
    await until(() => mailTo(email).length === 2);
    const [again = ''] = linksIn(mailTo(email)[1]?.text);
    expect(await asked(links[0] ?? '')).toEqual(noDownload.expired);
    expect([(await fetched(again)).status, await asked(again)]).toEqual([302, noDownload.limit]);
    const told = await commerce.database.query<{ diff: object }>(
      `SELECT diff FROM audit_log WHERE tenant_id = $1 AND subject_type = 'digital_delivery'`,
      [shop.storeId],
    );
    expect(told.map(({ diff }) => Object.keys(diff))).toEqual([['resent', 'expires_at']]);
  });

  it('is another one for each click, and one for a key, also of five at once', async () => {
    const { shop, order, email } = await bought();
    const [row] = await shop.deliveries(order);
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const path = `/api/digital-store/deliveries/${row?.id}/resend`;
    const click = (key: string) => commerce.post(path, { channel: 'email' }, bearer(token, { 'idempotency-key': key }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => click('one')));
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 409)).toBe(true);
    expect((await click('one')).status).toBe(200);
    await until(() => mailTo(email).length === 2);
    await Promise.all([click('two'), click('three')]);
    await shop.delivered(order);
    const links = mailTo(email).flatMap((mail) => linksIn(mail.text));
    const works = await Promise.all(links.map(async (link) => (await fetched(link)).status));
    expect(works.filter((status) => status === 302)).toHaveLength(1);
  });

  it('is refused without an address, of another store, and of what is not there', async () => {
    const [mine, theirs] = [await bought(), await bought()];
    const [row] = await theirs.shop.deliveries();
    const notFound = refused(404, 'not_found', 'Delivery not found');
    for (const id of [row?.id ?? '', uuidv7()]) expect(await resend(mine, id)).toEqual(notFound);
    expect((await mine.shop.ask('POST', '/digital-store/deliveries/x/resend', { channel: 'email' })).status).toBe(404);
    expect((await resend(mine, row?.id ?? '', 'sms')).status).toBe(422);
    expect((await fetched(theirs.links[0] ?? '')).status).toBe(302);
    const shop = await digitalShop(commerce, { buyer: PHONE_ONLY });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    const [sent] = await shop.delivered(order);
    expect(await resend({ ...mine, shop }, sent?.id ?? '')).toEqual(
      refused(409, 'no_email', 'The buyer has no e-mail address'),
    );
  });
});

describe('what is not paid after all', () => {
  it('stops to be delivered when its payment is taken back, and comes anew when it is paid again', async () => {
    const { shop, order, email, links } = await bought();
    await shop.reverse(order);
    expect(await asked(links[0] ?? '')).toEqual(noDownload.expired);
    const [row] = await shop.deliveries(order);
    const refusal = refused(409, 'invalid_transition', 'It is revoked: that cannot be done with it now');
    expect(await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'email' })).toEqual(
      refusal,
    );
    await shop.pay(order);
    await until(() => mailTo(email).length === 2);
    const [again = ''] = linksIn(mailTo(email)[1]?.text);
    expect([(await fetched(again)).status, (await asked(links[0] ?? '')).status]).toEqual([302, 410]);
    expect(await shop.deliveries(order)).toHaveLength(1);
  });

  it('and was refunded stops, line by line, keys and links alike, and the rest when all is paid back', async () => {
    const { shop, order, links } = await bought({ keys: ['AAAA-1111', 'BBBB-2222', 'CCCC-3333'], files: 1 }, 3);
    const token = commerce.storeAuth.userToken({ store_id: shop.storeId });
    const refund = async (body: object) => {
      const headers = bearer(token, { 'idempotency-key': uuidv7() });
      const given = { ...body, reason: 'Tidak cocok', method: 'manual' };
      return (await commerce.post(`/api/order/${order.id}/refund`, given, headers)).status;
    };
    const works = () => Promise.all(links.map(async (link) => (await fetched(link)).status));
    expect(await refund({ amount: 1_000 })).toBe(201);
    expect([await works(), await shop.keys('assigned')]).toEqual([[200, 302], expect.any(Array)]);
    expect(await shop.keys('assigned')).toHaveLength(3);
    const line = { order_item_id: order.items[0]?.id, qty: 1 };
    expect(await refund({ lines: [line] })).toBe(201);
    expect([await works(), (await shop.keys('assigned')).length]).toEqual([[200, 302], 2]);
    expect(await refund({ lines: [line] })).toBe(201);
    expect([(await shop.keys('assigned')).length, (await shop.keys('revoked')).length]).toEqual([1, 2]);
    expect(await refund({})).toBe(201);
    expect([await works(), await shop.keys('assigned')]).toEqual([[410, 410], []]);
    expect((await asked(links[0] ?? '')).body).toEqual(noDownload.expired.body);
  });

  it('of a line that was given back before anything was delivered nothing is, and the rest is', async () => {
    const email = `${uuidv7()}@shop.example`;
    const shop = await digitalShop(commerce, { files: 2, buyer: { name: 'Budi', phone: '6281234567890', email } });
    const line = { variant_id: shop.variantId, qty: 1 };
    const order = (await shop.order(0, { items: [line, line] })).body.data;
    const [first, second] = order.items.map(({ id }) => id);
    const by = { storeId: shop.storeId, actor: 'test', at: commerce.clock.now() };
    const lines = [{ order_item_id: first ?? '', qty: 1 }];
    await commerce.app.database.tx((tx) => revokeDeliveries(tx, by, order.id, lines));
    await shop.pay(order);
    await until(() => mailTo(email).length === 1);
    expect(linksIn(mailTo(email)[0]?.text)).toHaveLength(2);
    const told = (await shop.deliveries(order)).map((row) => `${row.order_item_id} ${row.revoked_for ?? 'works'}`);
    expect(told.toSorted()).toEqual(
      [`${first} return`, `${first} return`, `${second} works`, `${second} works`].toSorted(),
    );
  });

  it('and was given back is never delivered again, also when the observer runs once more', async () => {
    const { shop, order, links } = await bought();
    const by = { storeId: shop.storeId, actor: 'test', at: commerce.clock.now() };
    await commerce.app.database.tx((tx) => revokeDeliveries(tx, by, order.id));
    expect(await asked(links[0] ?? '')).toEqual(noDownload.expired);
    await commerce.app.database.query(
      `SELECT commerce_api_jobs.add_job('order.paid.digital', json_build_object('storeId', $1::text, 'orderId', $2::text))`,
      [shop.storeId, order.id],
    );
    await observed();
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['return']);
  });
});
