// chat-backend itself, as a process beside this service: which tickets a member without chat.all meets.
import { until, useRunning } from '@platform/testing';
import { notHere, refused } from '../../asked.fixture';
import { newApiToken } from '../../commerce.fixture';
import type { Ticket } from './tickets.dto';
import { startChatWorld } from './tickets.fixture';

const world = useRunning(startChatWorld);
type Shop = Awaited<ReturnType<typeof world.store>>;
type Member = Awaited<ReturnType<Shop['member']>>;

const [OWN, FOREIGN, PUBLIC, NOBODYS] = ['6281234567890', '6281234567891', '6281234567892', '6281234567893'] as const;
const TICKET = { subject: 'Retur', body: 'Salah ukuran' };
const unknown = refused(404, 'not_found', 'Ticket not found');
const forbidden = refused(403, 'forbidden', 'You may not do this here');
const at = (id: string) => `/ticketing-feedback/${id}`;
const opened = async ({ ask }: Pick<Shop, 'ask'>, phone: string) =>
  (await ask<Ticket>('POST', '/ticketing-feedback', { phone, ...TICKET })).body.data.id;
const seenBy = async ({ ask }: Pick<Shop, 'ask'>, query = '') =>
  (await ask<Ticket[]>('GET', `/ticketing-feedback${query}`)).body.data.map(({ contact }) => contact.phone).sort();

/** A ticket of a chat of the members' team, of a private one, of one that is open to read, and of a number without a chat. */
const shopWithTeams = async () => {
  const shop = await world.store();
  const { storeId } = shop;
  const there = (statement: string, ...values: unknown[]) => world.chat.database.query(statement, [storeId, ...values]);
  await there(
    `INSERT INTO teams (store_id, id, nama, private) VALUES ($1, '9', 'VIP', true), ($1, '5', 'Gudang', false)`,
  );
  await there(`UPDATE teams SET private = true WHERE store_id = $1 AND id = '3'`);
  for (const [phone, team] of [
    [OWN, '3'],
    [FOREIGN, '9'],
    [PUBLIC, '5'],
  ] as const) {
    await shop.writes(phone, 'halo');
    await there('UPDATE conversations SET team_id = $3 WHERE store_id = $1 AND nohp = $2', phone, team);
  }
  const tickets = {
    own: await opened(shop, OWN),
    foreign: await opened(shop, FOREIGN),
    open: await opened(shop, PUBLIC),
    nobodys: await opened(shop, NOBODYS),
  };
  return { shop, tickets };
};

const writes = (id: string, { userId }: Pick<Member, 'userId'>): [string, string, object][] => [
  ['POST', `${at(id)}/reply`, { text: 'Kami ganti' }],
  ['POST', `${at(id)}/assign`, { user_id: userId }],
  ['PUT', `${at(id)}/status`, { status: 'on_progress' }],
];
const answers = async (who: Pick<Member, 'ask' | 'userId'>, id: string) =>
  Promise.all(writes(id, who).map(([method, path, body]) => who.ask(method, path, body)));
const statuses = async (who: Pick<Member, 'ask' | 'userId'>, id: string) => {
  const found: number[] = [];
  for (const [method, path, body] of writes(id, who)) found.push((await who.ask(method, path, body)).status);
  return found;
};

describe('a member without chat.all', () => {
  it('lists and reads the tickets of chats they may see, and of numbers without a chat', async () => {
    const { shop, tickets } = await shopWithTeams();
    const rina = await shop.member('3');
    expect(await seenBy(rina)).toEqual([OWN, PUBLIC, NOBODYS]);
    expect(await seenBy(rina, `?phone=${FOREIGN}`)).toEqual([]);
    expect(await seenBy(rina, '?q=Retur&status=open')).toEqual([OWN, PUBLIC, NOBODYS]);
    expect(await seenBy(shop)).toEqual([OWN, FOREIGN, PUBLIC, NOBODYS]);
    const read = async (id: string) => (await rina.ask('GET', at(id))).status;
    expect(await Promise.all([tickets.own, tickets.open, tickets.nobodys].map(read))).toEqual([200, 200, 200]);
    expect(await rina.ask('GET', at(tickets.foreign))).toEqual(unknown);
  });

  it('does nothing with a ticket that they do not see, and reads only what is open to read', async () => {
    const { shop, tickets } = await shopWithTeams();
    const rina = await shop.member('3');
    expect(await answers(rina, tickets.foreign)).toEqual([unknown, unknown, unknown]);
    expect(await answers(rina, tickets.open)).toEqual([forbidden, forbidden, forbidden]);
    expect(await statuses(rina, tickets.own)).toEqual([201, 200, 200]);
    expect(await statuses(rina, tickets.nobodys)).toEqual([201, 200, 200]);
    for (const id of [tickets.foreign, tickets.open])
      expect((await shop.ask<Ticket>('GET', at(id))).body.data).toMatchObject({
        ...{ status: 'open', assignee: null, replies: [] },
      });
  });

  it('works on a ticket that was given to them, whichever team it is of, until it is given to somebody else', async () => {
    const { shop, tickets } = await shopWithTeams();
    const [rina, tono] = [await shop.member('3'), await shop.member()];
    await shop.ask('POST', `${at(tickets.foreign)}/assign`, { user_id: rina.userId });
    expect(await seenBy(rina)).toContain(FOREIGN);
    expect((await rina.ask('GET', at(tickets.foreign))).status).toBe(200);
    expect(await statuses(rina, tickets.foreign)).toEqual([201, 200, 200]);
    expect((await rina.ask('POST', `${at(tickets.foreign)}/assign`, { user_id: tono.userId })).status).toBe(200);
    expect(await rina.ask('GET', at(tickets.foreign))).toEqual(unknown);
    expect(await seenBy(tono)).toEqual([FOREIGN, PUBLIC, NOBODYS]);
  });

  it('sees the ticket of a chat that is escalated to them', async () => {
    const { shop, tickets } = await shopWithTeams();
    const rina = await shop.member('3');
    await world.chat.database.query(
      `INSERT INTO escalations (store_id, conversation_id, to_user, requested_by, requested_at)
       SELECT store_id, id, $2, 'system', now() FROM conversations WHERE store_id = $1 AND nohp = $3`,
      [shop.storeId, rina.userId, FOREIGN],
    );
    expect(await seenBy(rina)).toEqual([OWN, FOREIGN, PUBLIC, NOBODYS]);
    expect(await statuses(rina, tickets.foreign)).toEqual([201, 200, 200]);
  });

  it('loses the tickets of a team at once when they leave it', async () => {
    const { shop, tickets } = await shopWithTeams();
    const rina = await shop.member('3', '9');
    expect(await seenBy(rina)).toEqual([OWN, FOREIGN, PUBLIC, NOBODYS]);
    await rina.sit('3');
    expect(await seenBy(rina)).toEqual([OWN, PUBLIC, NOBODYS]);
    expect(await answers(rina, tickets.foreign)).toEqual([unknown, unknown, unknown]);
    await rina.sit();
    expect(await seenBy(rina)).toEqual([PUBLIC, NOBODYS]);
  });

  it('opens a ticket for whom they may answer, and learns nothing of anybody else', async () => {
    const { shop } = await shopWithTeams();
    const rina = await shop.member('3');
    const open = (body: object, key?: string) =>
      rina.ask<Ticket>('POST', '/ticketing-feedback', { ...TICKET, ...body }, key);
    const made = await open({ phone: OWN }, 'k-1');
    expect([made.status, (await open({ phone: OWN }, 'k-1')).body.data]).toEqual([201, made.body.data]);
    expect((await open({ phone: '6281234567899' })).status).toBe(201);
    for (const phone of [FOREIGN, PUBLIC]) expect(await open({ phone })).toEqual(forbidden);
    // chat-backend has told of whoever wrote
    const [wati] = await until(
      () =>
        world.commerce.database.query<{ id: string }>(
          'SELECT contact_id AS id FROM contact_phone WHERE store_id = $1 AND phone = $2',
          [shop.storeId, FOREIGN],
        ),
      ({ length }) => length > 0,
    );
    expect(await open({ contact_id: wati?.id })).toEqual(notHere('contact_id', 'is not a contact of this store'));
    expect(await seenBy(shop)).toHaveLength(6);
  });
});

it('an API token meets all tickets, and none when its maker does not see all chats', async () => {
  const { shop, tickets } = await shopWithTeams();
  const rina = await shop.member('3');
  const tokenOf = async (maker?: string) => {
    const abilities = ['chat.all', 'ticket.write'];
    const { token } = await newApiToken(world.commerce, shop.storeId, { abilities, ...(maker ? { maker } : {}) });
    return { userId: rina.userId, ask: shop.askWith(token) };
  };
  const [program, narrow] = [await tokenOf(), await tokenOf(rina.userId)];
  expect(await seenBy(program)).toHaveLength(4);
  expect(await statuses(program, tickets.foreign)).toEqual([201, 200, 200]);
  const denied = refused(403, 'forbidden', 'This needs the ability chat.all', { ability: 'chat.all' });
  expect(await answers(narrow, tickets.own)).toEqual([denied, denied, denied]);
  const rest: [string, string, object?][] = [
    ['GET', '/ticketing-feedback'],
    ['GET', at(tickets.own)],
    ['POST', '/ticketing-feedback', { phone: OWN, ...TICKET }],
  ];
  for (const [method, path, body] of rest) expect(await narrow.ask(method, path, body)).toEqual(denied);
});
