import { until } from '@platform/testing';
import { RINA, startChat, type Chat } from '../../chat.fixture';
import type { CommerceEvent } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';

const told: (CommerceEvent & { readonly storeId: string })[] = [];
const failures: Error[] = [];
const tellEvent = async (storeId: string, event: CommerceEvent): Promise<boolean> => {
  const failure = failures.shift();
  if (failure) throw failure;
  return told.push({ storeId, ...event }) > 0;
};

let chat: Chat;
beforeAll(async () => {
  const environment = { COMMERCE_URL: 'http://127.0.0.1:9' };
  chat = await startChat({ commerce: { ...takingCommerce, tellEvent }, environment });
});
afterAll(() => chat.stop());
beforeEach(() => void (told.length = failures.length = 0));

const WAITING = `SELECT key, attempts, max_attempts FROM chat_backend_jobs.jobs WHERE task_identifier = 'commerce.event'`;
const idle = () => until(async () => (await chat.database.query(WAITING)).length === 0);
/** As if the pause before the next try were over. */
const tryAgain = () =>
  chat.database
    .query(`UPDATE chat_backend_jobs._private_jobs j SET run_at = now() FROM chat_backend_jobs._private_tasks t
    WHERE t.id = j.task_id AND t.identifier = 'commerce.event' AND locked_at IS NULL`);

let numbers = 0;
const number = () => `62811000${String(++numbers).padStart(4, '0')}`;
const chatOf = async (nohp: string): Promise<string> => {
  const [row] = await chat.database.query<{ id: string }>(
    `SELECT store_id || '.' || id AS id FROM conversations WHERE nohp = $1`,
    [nohp],
  );
  return row?.id ?? '';
};

describe('a customer who writes by a link', () => {
  it('is told to commerce-api with the code of the link and the chat, once, also when the message comes again', async () => {
    const nohp = number();
    const message = { number: `${nohp}@s.whatsapp.net`, id: `link-${nohp}`, text: 'Halo, mau pesan [#PROMO24]' };
    await chat.inbound(message);
    await chat.inbound(message);
    await until(() => told.length > 0);
    await idle();
    const chatId = await chatOf(nohp);
    const event = { storeId: 'S1', id: `link:link-${nohp}`, kind: 'link_opened', code: 'promo24', nohp, chatId };
    expect(told).toEqual([event]);
  });

  it('is told when commerce-api is back, under the same id', async () => {
    failures.push(new Error('commerce-api is away'));
    const nohp = number();
    await chat.inbound({ number: `${nohp}@s.whatsapp.net`, id: `late-${nohp}`, text: '[#promo24]' });
    const [waiting] = await until(
      () => chat.database.query(WAITING),
      ([row]) => (row as { attempts?: number } | undefined)?.attempts === 1 && failures.length === 0,
    );
    expect(waiting).toEqual({ key: `link.S1.late-${nohp}`, attempts: 1, max_attempts: 37 });
    expect(told).toEqual([]);
    await until(async () => (await tryAgain(), told.length === 1));
    expect(told.map(({ id }) => id)).toEqual([`link:late-${nohp}`]);
  });

  it.each([
    ['no code', { text: 'Halo [promo24]' }],
    ['our own hand', { text: 'Klik [#promo24]', fromMe: 'true' }],
    ['a group', { text: 'Klik [#promo24]', number: '120363000000000009@g.us' }],
    ['a hidden id that stands for no number', { text: 'Klik [#promo24]', number: '99887755@lid' }],
  ])('with %s is told to nobody', async (_, message) => {
    const nohp = number();
    await chat.inbound({ number: `${nohp}@s.whatsapp.net`, ...message });
    expect(await chat.database.query(WAITING)).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe('a ticket', () => {
  const TICKET = `
    INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, instance, team_id, customer_id, order_id, judul, isi, status, user_id)
    SELECT c.store_id, uuidv7(), 'E-' || c.nohp, c.id, c.nohp, c.instance, c.team_id, c.customer_id, 'O-1', 'Retur', 'Salah ukuran', 'open', 'u-siti'
    FROM conversations c WHERE c.nohp = $1 RETURNING store_id || '.' || id AS id`;
  const ticket = async (): Promise<{ nohp: string; ticketId: string }> => {
    const nohp = number();
    await chat.inbound({ number: `${nohp}@s.whatsapp.net` });
    const [row] = await chat.database.query<{ id: string }>(TICKET, [nohp]);
    return { nohp, ticketId: row?.id ?? '' };
  };
  const changeTo = (ticketId: string, status: string, path = 'change_ticket_status') =>
    chat.post(`/v1/${path}`, { ticketId, status }, { token: path.endsWith('_crm') ? '' : chat.tokens.tokenFor(RINA) });
  const solved = ({ nohp, ticketId }: { nohp: string; ticketId: string }) => ({
    ...{ storeId: 'S1', id: `ticket:${ticketId}`, kind: 'ticket_resolved', ticketId, nohp, orderId: 'O-1' },
  });

  it.each(['change_ticket_status', 'change_ticket_status_crm'])(
    'that is resolved and then closed by %s is told under one id',
    async (path) => {
      const made = await ticket();
      await changeTo(made.ticketId, 'on_progress', path);
      expect(await chat.database.query(WAITING)).toEqual([]);
      await changeTo(made.ticketId, 'resolved', path);
      await until(() => told.length === 1);
      await changeTo(made.ticketId, 'closed', path);
      await until(() => told.length === 2);
      expect(told).toEqual([solved(made), solved(made)]);
    },
  );

  it.each([
    ['has said STOP', (nohp: string) => chat.inbound({ number: `${nohp}@s.whatsapp.net`, text: 'STOP' })],
    ['is blocked', (nohp: string) => chat.database.query('UPDATE customers SET blokir = true WHERE nohp = $1', [nohp])],
  ])('of a customer who %s is told to nobody, who would ask how it was', async (_, change) => {
    const made = await ticket();
    await change(made.nohp);
    await changeTo(made.ticketId, 'resolved');
    expect(await chat.database.query(WAITING)).toEqual([]);
    expect(told).toEqual([]);
  });

  it('that is resolved again while nobody changed it is not told again', async () => {
    const made = await ticket();
    await changeTo(made.ticketId, 'resolved');
    await until(() => told.length === 1);
    await changeTo(made.ticketId, 'resolved');
    await idle();
    expect(told).toEqual([solved(made)]);
  });
});
