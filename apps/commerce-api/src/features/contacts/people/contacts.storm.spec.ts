import { until, untilWaiting } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import type { Contact } from './contact.dto';

const commerce = useCommerce();

/** What does not fit: counts that are not those of the rows, contacts without a number or with two main ones, orders of nobody. */
const ODD = `
  SELECT 'plan' AS odd FROM plan_use u WHERE u.store_id = $1 AND u.metric = 'contacts'
    AND u.used <> (SELECT count(*) FROM contact c WHERE c.store_id = $1)
  UNION ALL SELECT 'main ' || c.id FROM contact c WHERE c.store_id = $1
    AND (SELECT count(*) FROM contact_phone p WHERE p.store_id = $1 AND p.contact_id = c.id AND p.is_main) <> 1
  UNION ALL SELECT 'number ' || p.phone FROM contact_phone p WHERE p.store_id = $1
    AND NOT EXISTS (SELECT FROM contact c WHERE c.store_id = $1 AND c.id = p.contact_id)
  UNION ALL SELECT 'order ' || o.id FROM sales_order o WHERE o.store_id = $1 AND o.contact_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM contact c WHERE c.store_id = $1 AND c.id = o.contact_id)
  UNION ALL SELECT 'count ' || c.id FROM contact c WHERE c.store_id = $1 AND c.orders_count <>
    (SELECT count(*) FROM sales_order o WHERE o.store_id = $1 AND o.contact_id = c.id AND o.status NOT IN ('draft', 'cancelled'))`;

it('contacts that are made, merged, renumbered, tagged, erased and buying at once stay one person by number, and are counted', async () => {
  const shop = await orderShop(commerce, 10_000);
  const phones = Array.from({ length: 5 }, (_, at) => `62812345670${at}`);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];
  const phone = () => pick(phones) ?? '';
  const ids = async () => (await shop.ask<Contact[]>('GET', '/contact?per_page=100')).body.data.map(({ id }) => id);
  const some = async () => pick(await ids()) ?? shop.storeId;
  const acts: readonly (() => Promise<{ readonly status: number }>)[] = [
    () => shop.ask('POST', '/order', { ...shop.cart(1), contact: { name: 'Budi', phone: phone() } }),
    () => shop.ask('POST', '/order', { ...shop.cart(1), contact: { name: 'Budi', phone: phone() } }),
    async () => shop.ask('POST', '/order', { ...shop.cart(1), contact: undefined, contact_id: await some() }),
    () => shop.ask('POST', '/contact', { name: 'Budi', phone: phone(), tags: ['A', 'b', 'C'] }),
    async () => shop.ask('POST', '/contact/merge', { keep_id: await some(), merge_ids: [await some()] }),
    async () => shop.ask('PUT', `/contact/${await some()}`, { phone: phone() }),
    async () => shop.ask('DELETE', `/contact/${await some()}`),
    async () => shop.ask('POST', `/contact/${await some()}/notes`, { text: 'x' }),
    async () => shop.ask('PUT', `/contact/${await some()}/block`, { blocked: true }),
  ];
  const statuses = new Set<number>();
  const worker = async () => {
    for (let step = 0; step < 12; step += 1) statuses.add((await (pick(acts) as (typeof acts)[number])()).status);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  const odd = () => commerce.database.query(ODD, [shop.storeId]);
  expect(await until(odd, ({ length }) => length === 0)).toEqual([]);
});

it('a contact that gets another number waits for whoever has that before it is locked: not in a circle with an import, nor with who gets its own', async () => {
  const { storeId, ask } = await orderShop(commerce, 1);
  const [mine, theirs] = ['6281200000001', '6281200000002'];
  const made = async (phone: string) => (await ask<Contact>('POST', '/contact', { name: 'Ani', phone })).body.data.id;
  const [one, other] = [await made(mine), await made(theirs)];
  const { renumbered } = await commerce.database.tx(async (tx) => {
    await tx.query('SELECT FROM contact WHERE id = $1 FOR UPDATE', [other]);
    await tx.query('DELETE FROM contact_phone WHERE store_id = $1 AND phone = $2', [storeId, theirs]);
    const renumbering = ask('PUT', `/contact/${one}`, { phone: theirs });
    await untilWaiting(tx, renumbering);
    await tx.query('SELECT FROM contact_phone WHERE store_id = $1 AND phone = $2 FOR UPDATE NOWAIT', [storeId, mine]);
    await tx.query('SELECT FROM contact WHERE id = $1 FOR UPDATE NOWAIT', [one]);
    return { renumbered: renumbering };
  });
  expect((await renumbered).status).toBe(200);
});
