// chat-backend itself, as a process beside this service: what the face does with its answers, and without them.
import { until, useRunning } from '@platform/testing';
import { refused, succeeded } from '../../asked.fixture';
import { bearer } from '../../commerce.fixture';
import { openBrowser } from '../../web/browser.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import { toldOf } from '../notifications/notifications.fixture';
import { feedbackToken } from './feedback.token';
import type { Ticket, TicketReply } from './tickets.dto';
import { startChatWorld } from './tickets.fixture';

const world = useRunning(startChatWorld);
type Shop = Awaited<ReturnType<typeof world.store>>;

const PHONE = '6281234567890';
const NEW = { phone: PHONE, subject: 'Retur', body: 'Salah ukuran' };
const instant = expect.stringMatching(/^\d{4}-.*Z$/);
const open = async ({ ask }: Shop, key?: string) =>
  (await ask<Ticket>('POST', '/ticketing-feedback', NEW, key)).body.data;
const NOWHERE = 'S-other.0199f7a0-0000-7000-8000-000000000001';
const unknown = refused(404, 'not_found', 'Ticket not found');

describe('a ticket', () => {
  it('is opened, shown, answered, given to somebody and closed at chat-backend', async () => {
    const shop = await world.store();
    const { ask, storeId } = shop;
    const made = await ask<Ticket>('POST', '/ticketing-feedback', NEW);
    const ticket = {
      ...{ id: expect.stringMatching(`^${storeId}\\.`), number: 'TKT-000001', subject: 'Retur', body: 'Salah ukuran' },
      ...{ contact: { id: null, name: null, phone: PHONE }, order_id: null, priority: 'medium', status: 'open' },
      ...{ assignee: null, rating: null, feedback: null, created_at: instant },
    };
    expect(made).toEqual(succeeded(201, 'Ticket created', ticket));
    expect(await toldOf(world.commerce, storeId, 'ticket.opened')).toEqual(['Tiket TKT-000001 dibuka']);
    const at = `/ticketing-feedback/${made.body.data.id}`;
    expect(await ask('GET', '/ticketing-feedback')).toMatchObject({ status: 200, body: { data: [ticket] } });
    const reply = { id: expect.any(String), at: instant, author: 'Sari', text: 'Kami ganti', media: null };
    expect(await ask('POST', `${at}/reply`, { text: 'Kami ganti' })).toEqual(succeeded(201, 'Reply created', reply));
    const mine = { ...ticket, assignee: OWNER_ID };
    expect(await ask('POST', `${at}/assign`, { user_id: OWNER_ID })).toEqual(succeeded(200, 'Ticket updated', mine));
    const closed = { ...mine, status: 'closed' };
    expect(await ask('PUT', `${at}/status`, { status: 'closed' })).toEqual(succeeded(200, 'Ticket updated', closed));
    expect(await ask('GET', at)).toEqual(succeeded(200, 'OK', { ...closed, replies: [reply] }));
    const late = refused(409, 'ticket_closed', 'The ticket is closed');
    expect(await ask('POST', `${at}/reply`, { text: 'x' })).toEqual(late);
    expect(await ask('PUT', `${at}/status`, { status: 'pending' })).toEqual(late);
  });

  it('is one ticket and one reply under one key, however often it is asked for', async () => {
    const shop = await world.store();
    const made = await Promise.all([open(shop, 'k-1'), open(shop, 'k-1'), open(shop, 'k-1')]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const at = `/ticketing-feedback/${made[0]?.id}`;
    for (let n = 0; n < 2; n++) await shop.ask<TicketReply>('POST', `${at}/reply`, { text: 'Ya' }, 'k-2');
    expect((await shop.ask<Ticket>('GET', at)).body.data.replies).toHaveLength(1);
    expect((await shop.ask<Ticket[]>('GET', '/ticketing-feedback')).body.data).toHaveLength(1);
  });

  it('of another store is not there', async () => {
    const [shop, other] = [await world.store(), await world.store()];
    const { id } = await open(other);
    for (const one of [id, NOWHERE]) {
      const at = `/ticketing-feedback/${one}`;
      expect(await shop.ask('GET', at)).toEqual(unknown);
      expect(await shop.ask('PUT', `${at}/status`, { status: 'closed' })).toEqual(unknown);
      expect(await shop.ask('POST', `${at}/assign`, { user_id: OWNER_ID })).toEqual(unknown);
      expect(await shop.ask('POST', `${at}/reply`, { text: 'x' })).toEqual(unknown);
    }
  });
});

it('no table here holds a ticket or a message', async () => {
  const tables = await world.commerce.database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'commerce_api'
     AND (table_name ~ 'ticket|conversation|inbox' OR table_name ~ '(^|_)messages?$')`,
  );
  // Those of the staff's own rooms, and the text of a welcome
  const ours = ['staff_message', 'welcome_message'];
  expect(tables.filter(({ name }) => !ours.includes(name))).toEqual([]);
});

describe('a rating', () => {
  const rate = (token: string, body: object) => world.commerce.post(`/api/ticketing-feedback/rating/${token}`, body);
  const tokenOf = (id: string, at = new Date()) => feedbackToken(world.commerce.config.PAY_LINK_SECRET, id, at);

  it('is given once by whoever has the link, and shown to the shop', async () => {
    const shop = await world.store();
    const { id } = await open(shop);
    expect(await rate(tokenOf(id), { rating: 5, text: 'Cepat' })).toMatchObject({ status: 200 });
    expect(await rate(tokenOf(id), { rating: 1 })).toMatchObject({ status: 409, body: { code: 'already_rated' } });
    const { data } = (await shop.ask<Ticket>('GET', `/ticketing-feedback/${id}`)).body;
    expect(data).toMatchObject({ rating: 5, feedback: 'Cepat' });
  });

  it('by a link of somebody else or an old one is refused', async () => {
    const { id } = await open(await world.store());
    const forged = feedbackToken('another secret', id, new Date());
    expect(await rate(forged, { rating: 5 })).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
    const old = tokenOf(id, new Date('2020-01-01'));
    expect(await rate(old, { rating: 5 })).toMatchObject({ status: 410, body: { code: 'expired' } });
  });

  it('is given on a page too, once, and what was typed stays when it is not', async () => {
    const shop = await world.store();
    const { id } = await open(shop);
    const path = `/feedback/${tokenOf(id)}`;
    const browser = openBrowser(world.commerce);
    expect((await browser.get(path)).text).toContain('Bagaimana layanan kami?');
    const empty = await browser.post(path, { text: 'Cepat "sekali"' });
    expect([
      empty.status,
      empty.text.includes('Nilai layanan harus diisi'),
      empty.text.includes('Cepat &quot;sekali'),
    ]).toEqual([...[422, true, true]]);
    const given = await browser.post(path, { rating: '4', text: 'Cepat' });
    expect(given).toMatchObject({ status: 303, location: `${path}?done=1` });
    expect((await browser.get(`${path}?done=1`)).text).toContain('Terima kasih!');
    const again = await browser.send(path, { rating: '1' });
    expect([again.status, again.text.includes('Anda sudah memberi penilaian')]).toEqual([409, true]);
    const { data } = (await shop.ask<Ticket>('GET', `/ticketing-feedback/${id}`)).body;
    expect(data).toMatchObject({ rating: 4, feedback: 'Cepat' });
  });
});

describe('a ticket that is solved', () => {
  const requests = async (storeId: string) =>
    (await world.sent(storeId)).filter(({ pesan }) => pesan.includes('/feedback/'));

  it('asks its customer once, by the face and again by `_crm`', async () => {
    const shop = await world.store();
    await shop.writes(PHONE, 'halo');
    const { id } = await open(shop);
    await shop.ask('PUT', `/ticketing-feedback/${id}/status`, { status: 'resolved' });
    await world.settled(shop.storeId);
    const body = JSON.stringify({ ticketId: id, status: 'closed' });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${world.chat.url}/v1/change_ticket_status_crm`, { method: 'POST', headers, body });
    await world.settled(shop.storeId);
    const [asked, ...more] = await requests(shop.storeId);
    expect([asked?.nohp, more]).toEqual([PHONE, []]);
    // That it was told is kept, whom it was about is not
    const kept = await world.commerce.database.query('SELECT data FROM chat_event WHERE store_id = $1', [shop.storeId]);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter(({ data }) => Object.keys(data as object).length > 0)).toEqual([]);
    expect(asked?.pesan).toContain('TKT-000001');
  });

  it.each([
    ['chat-backend’s own route', 'change_ticket_status'],
    ['`_crm`', 'change_ticket_status_crm'],
  ])('asks once by %s, also when it is opened and solved again, told again and killed between', async (_, path) => {
    const shop = await world.store();
    const { storeId } = shop;
    await shop.writes(PHONE, 'halo');
    const { id } = await open(shop);
    const authorization = `Bearer ${world.commerce.storeAuth.serviceToken('commerce-api', storeId, 'chat-backend')}`;
    const change = (status: string) =>
      fetch(`${world.chat.url}/v1/${path}`, {
        ...{ method: 'POST', body: JSON.stringify({ ticketId: id, status }) },
        headers: { 'content-type': 'application/json', ...(path.endsWith('_crm') ? {} : { authorization }) },
      });
    expect((await change('resolved')).status).toBe(200);
    await world.chat.kill();
    await world.chat.restart();
    await world.hurried(storeId);
    for (const status of ['open', 'resolved', 'closed']) await change(status);
    const event = { id: `ticket:${id}`, kind: 'ticket_resolved', ticketId: id, nohp: PHONE, orderId: null };
    const told = { store_id: storeId, events: [event, { ...event, id: 'another' }] };
    const headers = bearer(world.commerce.storeAuth.serviceToken('chat-backend', storeId));
    for (let n = 0; n < 2; n++) await world.commerce.post('/internal/chat-events', told, headers);
    await world.hurried(storeId);
    expect(await requests(storeId)).toHaveLength(1);
  });

  const solve = async (shop: Shop) => {
    await shop.writes(PHONE, 'halo');
    const { id } = await open(shop);
    await shop.ask('PUT', `/ticketing-feedback/${id}/status`, { status: 'resolved' });
    await world.settled(shop.storeId);
    return world.sent(shop.storeId);
  };
  const template = (shop: Shop, body: string, active = true) =>
    shop.ask('POST', '/template-message', { event: 'feedback_request', body, active });
  const link = expect.stringMatching(/^https:\/\/shop\.example\/feedback\/\S+$/);

  it("asks in the words of the store's template, with the link where the template has it or at the end", async () => {
    const [placed, unplaced] = [await world.store(), await world.store()];
    await placed.ask('POST', '/contact', { name: 'Budi', phone: PHONE });
    const body = 'Hai {{buyer_name}}, {{ticket_number}} dari {{store_name}}\n{{feedback_url}}\nTerima kasih';
    expect((await template(placed, body)).status).toBe(201);
    const [asked] = await solve(placed);
    const words = ['Hai Budi, TKT-000001 dari Toko Nusa', link, 'Terima kasih'];
    expect(asked?.pesan.split('\n')).toEqual(words);
    await template(unplaced, 'Puas?');
    expect((await solve(unplaced)).map(({ pesan }) => pesan.split('\n'))).toEqual([['Puas?', link]]);
  });

  it('asks nobody where the store has switched the question off', async () => {
    const shop = await world.store();
    await template(shop, 'Puas?', false);
    expect(await solve(shop)).toEqual([]);
  });

  it('asks nobody for a store whose plan has ended unpaid', async () => {
    const shop = await world.store();
    await world.commerce.database.query(`UPDATE store SET plan_state = 'expired' WHERE store_id = $1`, [shop.storeId]);
    expect(await solve(shop)).toEqual([]);
  });

  it('asks nobody who has opted out', async () => {
    const shop = await world.store();
    const budi = await shop.ask('POST', '/contact', { name: 'Budi', phone: PHONE, opted_out: true });
    expect(budi.status).toBe(201);
    await shop.writes(PHONE, 'halo');
    const { id } = await open(shop);
    await shop.ask('PUT', `/ticketing-feedback/${id}/status`, { status: 'resolved' });
    await world.settled(shop.storeId);
    expect(await requests(shop.storeId)).toEqual([]);
  });

  it('asks nobody who was erased while the question waited, whatever they had said of messages', async () => {
    const shop = await world.store();
    const { storeId } = shop;
    const budi = await shop.ask<{ id: string }>('POST', '/contact', { name: 'Budi', phone: PHONE });
    await shop.writes(PHONE, 'halo');
    const { id } = await open(shop);
    await world.chat.kill();
    const event = { id: `ticket:${id}`, kind: 'ticket_resolved', ticketId: id, nohp: PHONE, orderId: null };
    const headers = bearer(world.commerce.storeAuth.serviceToken('chat-backend', storeId));
    await world.commerce.post('/internal/chat-events', { store_id: storeId, events: [event] }, headers);
    const tried = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key LIKE $1 AND attempts > 0 AND locked_at IS NULL`;
    await until(async () => (await world.commerce.database.query(tried, [`feedback:${storeId}:%`])).length > 0);
    expect((await shop.ask('DELETE', `/contact/${budi.body.data.id}`)).status).toBe(200);
    await world.chat.restart();
    await world.hurried(storeId);
    expect(await requests(storeId)).toEqual([]);
  });
});

describe('without chat-backend', () => {
  const rows = (id: string): [string, string, object?][] => [
    ['GET', '/ticketing-feedback'],
    ['POST', '/ticketing-feedback', NEW],
    ['GET', `/ticketing-feedback/${id}`],
    ['POST', `/ticketing-feedback/${id}/reply`, { text: 'x' }],
    ['PUT', `/ticketing-feedback/${id}/status`, { status: 'pending' }],
    ['POST', `/ticketing-feedback/${id}/assign`, { user_id: OWNER_ID }],
  ];
  const each = async (shop: Shop, id: string) =>
    Promise.all(rows(id).map(async ([method, path, body]) => (await shop.ask(method, path, body)).body.code));

  it('that hangs every row answers 504, and 502 when it is down', async () => {
    const shop = await world.store();
    const { id } = await open(shop);
    world.chat.freeze();
    const slow = await each(shop, id);
    world.chat.awaken();
    expect(slow).toEqual(rows(id).map(() => 'provider_timeout'));
    await world.chat.kill();
    const down = await each(shop, id);
    await world.chat.restart();
    expect(down).toEqual(rows(id).map(() => 'provider_error'));
  });
});
