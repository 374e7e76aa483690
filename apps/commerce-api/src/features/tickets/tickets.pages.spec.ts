// Tickets in a browser without script, with chat-backend as a process beside it: a member sees what it lets them see.
import { until, useRunning } from '@platform/testing';
import { agentIn } from '../inbox/desk/desk.fixture';
import { startInboxWorld } from '../inbox/inbox.fixture';
import type { Ticket } from './tickets.dto';

const world = useRunning(startInboxWorld);

const [OWN, FOREIGN] = ['6281234567890', '6281234567891'] as const;
const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';

const begun = async () => {
  const shop = await world.store();
  await shop.written(OWN, 'halo');
  await shop.there(`UPDATE teams SET private = true WHERE store_id = $1 AND id = '3'`);
  await shop.there(`INSERT INTO teams (store_id, id, nama, private) VALUES ($1, '9', 'VIP', true)`);
  await shop.writes(FOREIGN, 'halo');
  await shop.there(`UPDATE conversations SET team_id = '9' WHERE store_id = $1 AND nohp = $2`, FOREIGN);
  const open = async (phone: string, subject: string) => {
    const body = { phone, subject, body: '<b>Salah</b> ukuran' };
    return `/tickets/${(await shop.ask<Ticket>('POST', '/ticketing-feedback', body)).body.data.id}`;
  };
  const [path, other] = [await open(OWN, 'Retur sepatu'), await open(FOREIGN, 'Milik tim lain')];
  const rina = await agentIn(world, shop, '3');
  const act = async (fields: Record<string, string>, at = path) => {
    await rina.browser.get(at);
    return rina.browser.post(at, fields);
  };
  const kept = () => shop.there('SELECT 1 FROM ticket_replies WHERE store_id = $1');
  return { shop, path, other, rina, act, kept };
};

it('the list shows the tickets that the member may see, by their state and by what is searched for', async () => {
  const { other, rina, path } = await begun();
  const { text } = await rina.browser.get('/tickets');
  expect([text.includes(`href="${path}"`), text.includes(`href="${other}"`)]).toEqual([true, false]);
  expect((await rina.browser.get(other)).status).toBe(404);
  expect((await rina.browser.get('/tickets?q=sepatu&status=open')).text).toContain('Retur sepatu');
  expect((await rina.browser.get('/tickets?status=closed')).text).toContain('Tidak ada tiket seperti ini');
});

it('a reply is kept once however often it is sent, and what was written stays text', async () => {
  const { rina, path, kept } = await begun();
  await rina.browser.get(path);
  const reply = { action: 'reply', text: '<i>Kami ganti</i>' };
  const answers = await Promise.all([1, 2].map(() => rina.browser.post(path, reply)));
  expect([answers.map(({ location }) => location), (await kept()).length]).toEqual([[path, path], 1]);
  const { text } = await rina.browser.get(path);
  expect([text.includes('&lt;i>Kami ganti'), text.includes('<b>Salah'), text.includes(rina.name)]).toEqual([
    ...[true, false, true],
  ]);
});

it('its state is changed, it is handed over, and a closed one is not replied to', async () => {
  const { rina, path, act } = await begun();
  expect((await act({ action: 'assign', user_id: rina.userId })).location).toBe(path);
  expect((await rina.browser.get(path)).text).toContain(`<dd><span dir="auto">${rina.name}</span>`);
  expect((await act({ action: 'status', status: 'closed' })).location).toBe(path);
  const late = await act({ action: 'reply', text: 'terlambat' });
  expect([late.status, alertOf(late.text), late.text.includes('>terlambat</textarea>')]).toEqual([
    ...[409, 'Tiket sudah ditutup. Buka lagi untuk membalas.', true],
  ]);
});

it('while chat-backend is down a reply comes back as it was typed, and is kept once when it is there again', async () => {
  const { rina, path, kept, act } = await begun();
  await world.chat.kill();
  await rina.browser.get(path);
  const hidden = rina.browser.hidden('/logout');
  const down = await rina.browser.send(path, { ...hidden, action: 'reply', text: 'sabar ya', _idem: 'satu-reply' });
  const list = await rina.browser.get('/tickets');
  await world.chat.restart();
  expect([down.status, list.status, list.text.includes('Layanan sedang tidak tersedia')]).toEqual([502, 200, true]);
  await until(async () => (await act({ action: 'reply', text: 'sabar ya' })).status === 303);
  expect((await kept()).length).toBe(1);
});
