// chat-backend itself, as a process beside this service: who writes to a customer by a ticket, and what a key means.
import { useRunning } from '@platform/testing';
import { refused } from '../../asked.fixture';
import type { Ticket } from './tickets.dto';
import { startChatWorld } from './tickets.fixture';

const world = useRunning(startChatWorld);

const PHONE = '6281234567890';
const NEW = { phone: PHONE, subject: 'Retur', body: 'Salah ukuran' };
const at = (id: string) => `/ticketing-feedback/${id}`;
const mismatch = refused(409, 'idempotency_mismatch', 'Idempotency-Key was used with a different request');

const shopWithTicket = async () => {
  const shop = await world.store();
  await shop.writes(PHONE, 'halo');
  const { id } = (await shop.ask<Ticket>('POST', '/ticketing-feedback', NEW)).body.data;
  return { ...shop, id };
};

it('a reply reaches the customer only from who may answer the chat, whoever works on the ticket', async () => {
  const { storeId, ask, id, member } = await shopWithTicket();
  const stranger = await member();
  await ask('POST', `${at(id)}/assign`, { user_id: stranger.userId });
  const loud = { text: 'Saya ambil', notify: true };
  expect(await stranger.ask('POST', `${at(id)}/reply`, loud)).toEqual(
    refused(403, 'forbidden', 'You may not do this here'),
  );
  expect((await stranger.ask('POST', `${at(id)}/reply`, { text: 'Dicek' })).status).toBe(201);
  expect(await world.sent(storeId)).toEqual([]);
  const seated = await member('3');
  expect((await seated.ask('POST', `${at(id)}/reply`, loud)).status).toBe(201);
  expect(await world.sent(storeId)).toEqual([{ pesan: 'Saya ambil', nohp: PHONE }]);
});

it('a reply reaches the customer only from who may answer chats at all', async () => {
  const { storeId, id, member } = await shopWithTicket();
  const clerk = await member('3');
  await world.commerce.database.query(
    `WITH made AS (INSERT INTO role (store_id, id, name, abilities, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), 'Tiket', '{ticket.write}', now(), now()) RETURNING id)
     UPDATE membership SET system_role = NULL, role_id = made.id FROM made WHERE store_id = $1 AND user_id = $2`,
    [storeId, clerk.userId],
  );
  expect(await clerk.ask('POST', `${at(id)}/reply`, { text: 'Halo', notify: true })).toEqual(
    refused(403, 'forbidden', 'This needs the ability chat.reply', { ability: 'chat.reply' }),
  );
  expect((await clerk.ask('POST', `${at(id)}/reply`, { text: 'Halo' })).status).toBe(201);
});

it('a key that was used for something else is refused, for a ticket and for a reply', async () => {
  const { ask, id } = await shopWithTicket();
  expect((await ask('POST', '/ticketing-feedback', NEW, 'k-1')).status).toBe(201);
  for (const other of [{ subject: 'Lain' }, { body: 'Lain' }, { phone: '6281234567891' }])
    expect(await ask('POST', '/ticketing-feedback', { ...NEW, ...other }, 'k-1')).toEqual(mismatch);
  expect((await ask('POST', `${at(id)}/reply`, { text: 'Ya' }, 'k-2')).status).toBe(201);
  expect(await ask('POST', `${at(id)}/reply`, { text: 'Tidak' }, 'k-2')).toEqual(mismatch);
});
