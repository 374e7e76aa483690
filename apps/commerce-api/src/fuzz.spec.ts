import { FUZZ_CANARY, fuzz, useRunning, type FuzzIngredients } from '@platform/testing';
import { newApiToken, newMember, type Commerce } from './commerce.fixture';
import { somebody } from './features/checkout/checkout.fixture';
import { ownedBy, startWithOwners } from './owners.fixture';
import { pathWith } from './shop-rows.fixture';
import { wholeShop } from './whole-shop.fixture';

const REQUESTS = 10_000;
/** Of one shop, before another one takes its place: what was broken in it breaks no more. */
const ROUND = 2_000;
/** Another one gives other requests; a failure names it. */
const SEED = 20_261_123;
const world = useRunning(() => startWithOwners({ TRUST_PROXY: '127.0.0.1' }));
let commerce: Commerce;
beforeAll(() => {
  ({ commerce } = world);
});

/** A shop with a row of every kind, and everything by its name. */
const prepare = async (): Promise<FuzzIngredients> => {
  const shop = await wholeShop(commerce);
  const { storeId, variants } = shop;
  const rows = { ...shop.rows, ...(await ownedBy(world, shop)) };
  const owner = commerce.storeAuth.userToken({ store_id: storeId });
  const idsOf = async (table: string) =>
    (await commerce.database.query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id);
  const [plans, addons] = [await idsOf('plan'), await idsOf('addon')];
  const member = await newMember(commerce, storeId, 'admin');
  const script = await newApiToken(commerce, storeId, { abilities: ['order.read', 'product.write'] });
  const service = commerce.storeAuth.serviceToken('bot-engine', storeId);
  const { product, variant, category, warehouse, second, contact, spare, tag, order, coupon, role } = rows;
  const ids = [
    product,
    category,
    warehouse,
    contact,
    tag,
    order,
    coupon,
    rows.link,
    rows.method,
    rows.shipment,
    rows.digital,
    rows.delivery,
    ...[rows.agent, rows.trial, rows.broadcast, rows.ticket, rows.conversation, rows.biolink, rows.tracker],
    ...[rows.reportFile, rows.device, rows.chatTeam, rows.rule, rows.reply, rows.template, rows.room],
    ...[rows.domain, rows.pixel, rows.webhook, rows.notification],
  ];
  return {
    tokens: [owner, owner, owner, owner, member.token, script.token, service],
    service,
    path: (template) => pathWith(template, rows),
    texts: [...ids, storeId, 'Topi', '1', 'true', 'active', '081234567890', 'IDR', 'cash'],
    fields: {
      id: [
        ...ids,
        rows.member,
        rows.account,
        rows.transfer,
        rows.invitation,
        rows.apiToken,
        rows.upload,
        role,
        rows.payout,
        rows.withdrawal,
        rows.bill,
        rows.addon,
        ...plans,
        ...addons,
      ],
      token: [rows.cart, rows.cartToken, rows.cartToken, rows.download],
      fileId: [rows.file],
      ...{ linkId: [rows.block], knowledgeId: [rows.knowledge], agent_id: [rows.agent], bot_agent_id: [rows.agent] },
      ...{ device_id: [rows.device], device_ids: [rows.device], tracker_id: [rows.tracker], session_id: [rows.trial] },
      ...{ contact_ids: [contact, spare], tag_ids: [tag], user_ids: [rows.member], ids: [rows.block, rows.rule] },
      ...{ chat_team_id: [rows.chatTeam], team_id: [rows.chatTeam], avatar_media_id: [rows.upload] },
      ...{ checkout_link_id: [rows.link], template_id: [rows.template], to: [rows.phone] },
      media_id: [rows.upload],
      keys: ['AAAA-1111', 'BBBB-2222'],
      slug: [storeId],
      store_slug: [storeId],
      group: ['order', 'checkout', 'stock'],
      code: ['transfer', 'cash', 'SALE'],
      imageId: [rows.image],
      addressId: [rows.address],
      jobId: [rows.productImport, rows.contactImport],
      sku: ['HAT-0', 'HAT-1'],
      orderNumber: [rows.orderNumber],
      phone: [rows.phone],
      variant_id: variants,
      product_id: [product],
      category_id: [category],
      parent_id: [category],
      warehouse_id: [warehouse, second],
      from_id: [warehouse],
      to_id: [second],
      order_id: [order],
      order_item_id: [rows.orderItem],
      contact_id: [contact],
      keep_id: [contact],
      merge_ids: [spare],
      proof_id: [rows.proof],
      bank_account_id: [rows.payout],
      role_id: [role],
      user_id: [rows.member],
      payment_method: ['cash', 'transfer'],
      purpose: ['product', 'proof'],
      plan_id: plans,
      addon_ids: addons,
      period: ['monthly', 'yearly'],
      method: ['wallet', 'b', 'cash'],
      variant: [variant],
    },
  };
};

it('ten thousand random requests over every route cause no 500 and no crash, and leave nothing in the log', async () => {
  const { broken, statuses } = await fuzz({
    ...{ url: commerce.url, service: commerce.app, seed: SEED, requests: REQUESTS, round: ROUND, prepare },
    headers: somebody,
    // There is no chat-backend to send with
    allowed: [503],
  });
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
  expect((await commerce.get('/ready')).status).toBe(200);
  // Requests with every outcome, or the generator would prove little
  for (const status of [200, 201, 400, 401, 403, 404, 409, 410, 415, 422]) expect([...statuses]).toContain(status);
  const log = commerce.lines.join('\n');
  expect(commerce.lines.length).toBeGreaterThan(REQUESTS * 0.9);
  expect(log.includes(FUZZ_CANARY)).toBe(false);
});
