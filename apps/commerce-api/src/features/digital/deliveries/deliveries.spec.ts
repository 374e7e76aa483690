import { request } from 'node:http';
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { refused, succeeded } from '../../../asked.fixture';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { bearer, NOW, startCommerce, type Commerce } from '../../../commerce.fixture';
import type { Order, OrderEvent } from '../../sales/orders/orders.dto';
import { startSecondProcess } from '../../../second-process.fixture';
import { digitalShop, EMAIL, linksIn, PDF, type DigitalShop } from '../digital.fixture';
import { revokeDeliveries, sellsDigital } from '../rights/public';

const LINKS = { PAY_LINK_SECRET: 'a secret of links' };
const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ ...LINKS, CHAT_URL: chat.url, TRUST_PROXY: '127.0.0.1' }));
const goTo = (at: string): void => commerce.clock.advance(Date.parse(at) - commerce.clock.now().getTime());
afterEach(() => {
  chat.state.mood = 'answer';
  goTo(NOW);
});

const text = expect.any(String) as string;
const unknown = refused(404, 'not_found', 'Download not found');
const expired = refused(410, 'expired', 'The link has expired or was withdrawn');
const limit = refused(410, 'download_limit', 'It was downloaded as often as it can be: ask the shop for another link');
const PHONE_ONLY = { name: 'Wati', phone: '6281299999999' };

let people = 0;
/** As somebody else each time, so that nobody is limited for what others do. */
const somebody = () => {
  people += 1;
  return { 'x-forwarded-for': `10.9.${people >> 8}.${people & 255}` };
};
const fetched = (path: string, more: RequestInit = {}, url = commerce.url) =>
  fetch(url + path, { redirect: 'manual', ...more, headers: { ...somebody(), ...more.headers } });
/** Status and body of a refusal. */
const asked = async (path: string, url?: string) => {
  const answer = await fetched(path, {}, url);
  return { status: answer.status, body: (await answer.json()) as object };
};
const fileOf = (answer: Response): string => new URL(answer.headers.get('location') ?? '').pathname;
const mailTo = (service: Commerce, to: string) => service.mails.filter((mail) => mail.to === to);

/** Every observer has run. */
const observed = () =>
  until(async () => {
    const jobs = `SELECT 1 FROM commerce_api_jobs.jobs WHERE task_identifier = 'order.paid.digital'`;
    return (await commerce.database.query(jobs)).length === 0;
  });

interface Bought {
  readonly shop: DigitalShop;
  readonly order: Order;
  readonly email: string;
  /** Of the first message. */
  readonly text: string;
  readonly links: readonly string[];
}

/** A paid order whose links were sent by e-mail. */
const bought = async (sells: Parameters<typeof digitalShop>[1] = {}, qty = 1): Promise<Bought> => {
  const email = `${uuidv7()}@shop.example`;
  const shop = await digitalShop(commerce, { buyer: { name: 'Budi', phone: '6281234567890', email }, ...sells });
  const order = (await shop.order(qty)).body.data;
  await shop.pay(order);
  await shop.delivered(order);
  const [mail] = mailTo(commerce, email);
  return { shop, order, email, text: mail?.text ?? '', links: linksIn(mail?.text) };
};

describe('what is bought', () => {
  it('is delivered when it is paid, not before: one link for each file, in one message', async () => {
    const shop = await digitalShop(commerce, { files: 2, delivery: { max_downloads: 3, valid_days: 10 } });
    const order = (await shop.order()).body.data;
    expect(await shop.deliveries()).toEqual([]);
    await shop.pay(order);
    const rows = await shop.delivered(order);
    const row = { order_id: order.id, order_item_id: order.items[0]?.id, downloads: 0, max_downloads: 3 };
    expect(rows).toEqual(
      Array(2).fill({
        ...{ ...row, id: text, asset_id: text, revoked_for: null, sent_at: new Date(NOW) },
        expires_at: new Date('2026-03-11T08:00:00.000Z'),
      }),
    );
    const [mail, ...others] = mailTo(commerce, EMAIL);
    const links = linksIn(mail?.text);
    expect([others, links.length, new Set(links).size]).toEqual([[], 2, 2]);
    const terms = '(paling banyak 3 kali, sampai 11 Maret 2026)';
    expect(mail).toEqual({
      to: EMAIL,
      subject: `Unduhan Anda dari Toko Nusa - ${order.number}`,
      text: [
        `Halo Budi, pesanan ${order.number} dari Toko Nusa sudah dibayar. Ini yang Anda beli:`,
        ...[0, 1].flatMap((at) => ['', `Buku Nusa: buku ${at}.pdf`, `https://shop.example${links[at]} ${terms}`]),
      ].join('\n'),
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@downloads\.invalid>$/) as string,
    });
    const history = (await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body.data;
    expect(history.map(({ type, text: told }) => `${type} ${told}`).at(-1)).toBe('downloads_sent email');
  });

  it('goes over WhatsApp to whoever has no e-mail address, with keys that stay as they are, once', async () => {
    const keys = ['A_B*C-11111111', 'D_E*F-22222222'];
    const shop = await digitalShop(commerce, { keys, buyer: PHONE_ONLY });
    const order = (await shop.order(2)).body.data;
    const before = chat.messages().length;
    chat.state.mood = 'hang';
    const { calls } = chat.state;
    await shop.pay(order);
    await until(() => chat.state.calls > calls);
    chat.state.mood = 'answer';
    await until(async () => {
      await commerce.database.query(
        'UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL',
      );
      const rows = await shop.deliveries(order);
      return rows.length > 0 && rows.every(({ sent_at }) => sent_at !== null);
    });
    const [message, ...others] = chat.messages().slice(before);
    expect(others).toEqual([]);
    const [link = ''] = linksIn(message?.pesan);
    expect(message).toEqual({
      ...{ nohp: PHONE_ONLY.phone, instance: 'dev1', team: '3', type: 'chat' },
      pesan_id: expect.stringMatching(/^download:[0-9a-f-]{36}$/) as string,
      pesan: [
        `Halo Wati, pesanan ${order.number} dari Toko Nusa sudah dibayar. Ini yang Anda beli:`,
        '',
        'Buku Nusa: kunci lisensi',
        ...keys.map((key) => `\`\`\`${key}\`\`\``),
        `https://shop.example${link} (paling banyak 5 kali, sampai 31 Maret 2026)`,
      ].join('\n'),
    });
    const file = await fetched(link);
    expect([file.status, file.headers.get('content-disposition'), await file.text()]).toEqual([
      ...[200, `attachment; filename="${order.number}-keys.txt"`, `${keys.join('\r\n')}\r\n`],
    ]);
    expect(await shop.keys()).toEqual(['1111 assigned', '2222 assigned']);
  });

  it('in hundreds of keys is one link to all of them', async () => {
    const keys = Array.from({ length: 300 }, (_, at) => `SERIAL-${String(at).padStart(6, '0')}`);
    const { text: letter, links } = await bought({ keys }, 300);
    expect([letter.includes('SERIAL'), links.length]).toEqual([false, 1]);
    const got = (await (await fetched(links[0] ?? '')).text()).trimEnd().split('\r\n');
    expect(got.toSorted()).toEqual(keys);
  });

  it('for nothing is delivered when it is placed', async () => {
    const shop = await digitalShop(commerce);
    await shop.ask('POST', '/coupon', { code: 'FREE', kind: 'percent', value: 100 });
    const order = (await shop.order(1, { coupon: 'FREE' })).body.data;
    expect([order.total, order.payment_status]).toEqual([0, 'paid']);
    await shop.delivered(order);
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['reversal']);
  });

  it('without files and keys is no message', async () => {
    const shop = await digitalShop(commerce, { files: 0 });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    await observed();
    expect(await shop.deliveries(order)).toEqual([]);
  });

  it('of a store that can send nothing is given up, and its link can be sent later', async () => {
    chat.state.mood = 'silent-store';
    const shop = await digitalShop(commerce, { buyer: PHONE_ONLY });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    const given = () => commerce.lines.some((line) => line.includes('never be sent') && line.includes(order.id));
    await until(given);
    chat.state.mood = 'answer';
    const [row] = await shop.deliveries(order);
    expect(row?.sent_at).toBeNull();
    const again = await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'whatsapp' });
    expect(again.status).toBe(200);
    await shop.delivered(order);
  });
});

describe('a download', () => {
  it('leads to the file for a minute, whole and in parts, and is counted once', async () => {
    const { shop, order, links } = await bought();
    const [link = ''] = links;
    const answer = await fetched(link);
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
      ...[302, 'private, no-store', 'no-referrer'],
    ]);
    const file = fileOf(answer);
    const whole = await fetched(file);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()), whole.headers.get('content-disposition')]).toEqual([
      ...[200, PDF, `attachment; filename="buku 0.pdf"; filename*=UTF-8''buku%200.pdf`],
    ]);
    const part = await fetched(file, { headers: { range: 'bytes=4-' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, PDF.subarray(4)]);
    const head = await fetched(file, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PDF.length)]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([1]);
    goTo('2026-03-01T08:01:00.000Z');
    expect(await asked(file)).toEqual(expired);
  });

  it('that is only looked at is not counted, and says what it would be', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 1 } });
    const [link = ''] = links;
    const look = async () => (await fetched(link, { method: 'HEAD' })).status;
    expect([await look(), await look()]).toEqual([200, 200]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([0]);
    expect([(await fetched(link)).status, await look()]).toEqual([302, 410]);
  });

  it('after the last is refused, and so is one after its time', async () => {
    const { links } = await bought({ delivery: { max_downloads: 2, valid_days: 1 } });
    const [link = ''] = links;
    expect([(await fetched(link)).status, (await fetched(link)).status]).toEqual([302, 302]);
    expect(await asked(link)).toEqual(limit);
    const other = await bought({ delivery: { valid_days: 1 } });
    goTo('2026-03-02T08:00:00.000Z');
    expect(await asked(other.links[0] ?? '')).toEqual(expired);
  });

  it('of which 20 are begun at once on two processes with five left: five', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 7 } });
    const [link = ''] = links;
    await commerce.database.query(`UPDATE digital_delivery SET expires_at = '2100-01-01' WHERE store_id = $1`, [
      shop.storeId,
    ]);
    await fetched(link);
    await fetched(link);
    const env = {
      ...LINKS,
      MEDIA_DIR: commerce.mediaDir,
      PUBLIC_URL: 'https://shop.example',
      TRUST_PROXY: '127.0.0.1',
    };
    const second = await startSecondProcess(commerce, env);
    try {
      const urls = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? commerce.url : second.url));
      const answers = await Promise.all(urls.map((url) => fetched(link, {}, url)));
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(5);
      const refusals = answers.filter(({ status }) => status !== 302);
      const bodies = await Promise.all(refusals.map(async (one) => ({ status: one.status, body: await one.json() })));
      expect(bodies).toEqual(Array(15).fill(limit));
    } finally {
      await second.stop();
    }
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([7]);
  });

  it('by what is no link of ours, or is one of a suspended store, is not there', async () => {
    const { shop, links } = await bought();
    const [link = ''] = links;
    const token = link.split('/').at(-1) ?? '';
    const [store = '', id = '', secret = ''] = token.split('.');
    const forged = [
      'x',
      `${store}.${id}.${'A'.repeat(43)}`,
      `${store}.${uuidv7()}.${secret}`,
      `${uuidv7()}.${id}.${secret}`,
      `${token}x`,
      'a'.repeat(5_000),
      '%F0%9F%98%80',
    ];
    for (const each of forged) expect(await asked(`/api/digital-store/download/${each}`)).toEqual(unknown);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [shop.storeId]);
    expect(await asked(link)).toEqual(unknown);
  });

  it('that its client gives up in the middle is counted, and goes on under the address that it had', async () => {
    const { shop, order, links } = await bought({ delivery: { max_downloads: 1 } });
    const file = fileOf(await fetched(links[0] ?? ''));
    await new Promise<void>((resolve) => {
      const going = request(commerce.url + file, (answer) => answer.once('data', () => going.destroy()));
      going.once('close', resolve).once('error', () => undefined);
      going.end();
    });
    const rest = await fetched(file, { headers: { range: 'bytes=100-' } });
    expect([rest.status, Buffer.from(await rest.arrayBuffer())]).toEqual([206, PDF.subarray(100)]);
    expect((await shop.deliveries(order)).map(({ downloads }) => downloads)).toEqual([1]);
  });

  it('of a file that was removed from the product goes on for who has bought it', async () => {
    const { shop, links } = await bought();
    const path = `/digital-store/${shop.product.id}`;
    const { files } = (await shop.ask<typeof shop.product>('GET', path)).body.data;
    await shop.ask('DELETE', `${path}/files/${files[0]?.id}`);
    expect((await shop.ask<typeof shop.product>('GET', path)).body.data.files).toEqual([]);
    const file = await fetched(fileOf(await fetched(links[0] ?? '')));
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
    const next = (await shop.order()).body.data;
    await shop.pay(next);
    await observed();
    expect(await shop.deliveries(next)).toEqual([]);
  });
});

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
    await until(() => mailTo(commerce, email).length === 2);
    const [again = ''] = linksIn(mailTo(commerce, email)[1]?.text);
    expect(await asked(links[0] ?? '')).toEqual(expired);
    expect([(await fetched(again)).status, await asked(again)]).toEqual([302, limit]);
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
    await until(() => mailTo(commerce, email).length === 2);
    await Promise.all([click('two'), click('three')]);
    await shop.delivered(order);
    const links = mailTo(commerce, email).flatMap((mail) => linksIn(mail.text));
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
    expect(await asked(links[0] ?? '')).toEqual(expired);
    const [row] = await shop.deliveries(order);
    const refusal = refused(409, 'invalid_transition', 'It is revoked: that cannot be done with it now');
    expect(await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'email' })).toEqual(
      refusal,
    );
    await shop.pay(order);
    await until(() => mailTo(commerce, email).length === 2);
    const [again = ''] = linksIn(mailTo(commerce, email)[1]?.text);
    expect([(await fetched(again)).status, (await asked(links[0] ?? '')).status]).toEqual([302, 410]);
    expect(await shop.deliveries(order)).toHaveLength(1);
  });

  it('and was given back is never delivered again, also when the observer runs once more', async () => {
    const { shop, order, links } = await bought();
    const by = { storeId: shop.storeId, actor: 'test', at: commerce.clock.now() };
    await commerce.app.database.tx((tx) => revokeDeliveries(tx, by, order.id));
    expect(await asked(links[0] ?? '')).toEqual(expired);
    await commerce.app.database.query(
      `SELECT commerce_api_jobs.add_job('order.paid.digital', json_build_object('storeId', $1::text, 'orderId', $2::text))`,
      [shop.storeId, order.id],
    );
    await observed();
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['return']);
  });
});

it('neither keys nor tokens are in any log, audit row, job or table', async () => {
  const KEY = 'CANARY-KEY-0815';
  const { shop, order, links } = await bought({ keys: [KEY, 'OTHER-KEY-1'], files: 1 }, 2);
  for (const link of links) await fetched(link);
  const [row] = await shop.deliveries(order);
  await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'email' });
  await asked(`${links[0]}x`);
  const secrets = [KEY, ...links.map((link) => link.split('.').at(-1) ?? '')];
  const tables = await commerce.database.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('commerce_api', 'commerce_api_jobs') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await commerce.database.query<{ told: string }>(`SELECT t::text AS told FROM ${name} t`);
    for (const secret of secrets) if (rows.some(({ told }) => told.includes(secret))) found.push(`${name}: ${secret}`);
  }
  for (const secret of secrets) if (commerce.lines.some((line) => line.includes(secret))) found.push(`log: ${secret}`);
  expect(found).toEqual([]);
});

it('of an order with nothing digital nobody is asked to deliver anything', async () => {
  const shop = await digitalShop(commerce);
  const variants = [{ price: 5_000, track_stock: false }];
  const hat = { name: 'Topi', weight_g: 100, status: 'active', variants };
  const made = (await shop.ask<{ variants: { id: string }[] }>('POST', '/products', hat)).body.data;
  const jobs = async (): Promise<number> => {
    const counted = `SELECT count(*)::int AS n FROM commerce_api_jobs.jobs WHERE task_identifier = 'order.paid.digital'`;
    return (await commerce.database.query<{ n: number }>(counted))[0]?.n ?? NaN;
  };
  const plan = async (variantId: string | undefined) => {
    const order = (await shop.order(0, { items: [{ variant_id: variantId, qty: 1 }] })).body.data;
    const [row] = await commerce.database.query<{ sells: boolean }>(
      `SELECT ${sellsDigital('o')} AS sells FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`,
      [shop.storeId, order.id],
    );
    return row?.sells;
  };
  expect([await plan(made.variants[0]?.id), await plan(shop.variantId), await jobs()]).toEqual([false, true, 0]);
});

it('the order tells what its buyer can fetch', async () => {
  const { shop, order, links } = await bought({ keys: ['AAAA-1111'], files: 1 });
  await fetched(links[0] ?? '');
  await fetched(links[1] ?? '');
  await shop.reverse(order);
  const { deliveries } = (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data;
  const row = {
    ...{ id: text, order_item_id: order.items[0]?.id, downloads: 1, max_downloads: 5, sent_at: NOW, revoked_at: NOW },
    expires_at: '2026-03-31T08:00:00.000Z',
  };
  expect(deliveries).toEqual([
    { ...row, kind: 'keys', name: null },
    { ...row, kind: 'file', name: 'buku 0.pdf' },
  ]);
});
