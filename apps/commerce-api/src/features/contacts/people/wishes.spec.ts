// Whether somebody wants messages: what they have said at chat-backend, and what the shop sets here.
import { ownStore } from '../../../asked.fixture';
import { bearer, useCommerce } from '../../../commerce.fixture';
import type { Contact } from './contact.dto';

const commerce = useCommerce();
const PHONE = '6281234567890';
/** As chat-backend tells of somebody who has written. */
const arrives = (storeId: string, body: object) =>
  commerce.post('/api/contact', body, bearer(commerce.storeAuth.serviceToken('chat-backend', storeId)));

it('somebody is not written to against what the shop has set, unless they have said so since', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { id } = (await ask<Contact>('POST', '/contact', { name: 'Budi', phone: PHONE })).body.data;
  const push = { phone: PHONE, name: 'Wa Budi', source: 'chat' };
  const now = () => commerce.clock.now().getTime();
  const after = async (more: object): Promise<boolean> => {
    expect((await arrives(storeId, { ...push, ...more })).status).toBe(200);
    return (await ask<Contact>('GET', `/contact/${id}`)).body.data.opted_out;
  };
  const said = (opted_out: boolean, ago: number) => after({ opted_out, said_at: new Date(now() - ago).toISOString() });
  const sets = (opted_out: boolean) => ask('PUT', `/contact/${id}`, { opted_out });

  await sets(true);
  expect([await after({}), await after({ opted_out: false }), await said(false, 1_000)]).toEqual([true, true, true]);
  commerce.clock.advance(60_000);
  expect(await said(false, 1_000)).toBe(false);
  // What they do not want counts whenever it is heard
  await sets(false);
  expect(await said(true, 3_600_000)).toBe(true);
  expect(await said(false, 3_500_000)).toBe(false);
  // The shop says again what stood already
  await sets(true);
  commerce.clock.advance(60_000);
  await sets(true);
  expect([await said(false, 1_000), await said(false, -3_600_000)]).toEqual([true, false]);
});

it('chat-backend is told again what the shop has set since, where it takes them for somebody who wants messages', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { id } = (await ask<Contact>('POST', '/contact', { name: 'Budi', phone: PHONE })).body.data;
  await ask('PUT', `/contact/${id}`, { opted_out: true });
  const version = async () =>
    Number(
      (
        await commerce.database.query<{ version: string }>('SELECT version::text FROM contact WHERE store_id = $1', [
          storeId,
        ])
      )[0]?.version,
    );
  const before = await version();
  const at = new Date(commerce.clock.now().getTime() - 60_000).toISOString();
  await arrives(storeId, { phone: PHONE, source: 'chat', opted_out: false, said_at: at });
  expect(await version()).toBeGreaterThan(before);
});
