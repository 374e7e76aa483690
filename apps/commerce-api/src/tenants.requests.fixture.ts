import type { AllRows } from './shop-rows.fixture';

/** Lists that are asked for what belongs to a row: of another store's there is nothing. */
export const QUERIES: readonly (readonly [path: string, keyof AllRows])[] = [
  ['/order?contact_id=', 'contact'],
  ['/order?warehouse_id=', 'warehouse'],
  ['/payment?order_id=', 'order'],
  ['/shipping/shipments?order_id=', 'order'],
  ['/products?category_id=', 'category'],
  ['/variant_product?product_id=', 'product'],
  ['/contact?tag_ids=', 'tag'],
  ['/products?warehouse_id=', 'warehouse'],
  ['/wa/groups?device_id=', 'device'],
  ['/livechat/conversations?device_id=', 'device'],
  ['/livechat/conversations?team_id=', 'chatTeam'],
];

const LINK = { kind: 'link', data: { title: 'a', url: 'https://toko.example/' } };
/** Bodies by route, where the documentation shows none, or names in it what nobody has. */
export const WELL_FORMED: Readonly<Record<string, object>> = {
  'PUT /api/contact/{id}/tags': { tag_ids: [] },
  'POST /api/verification/{id}/document': { kind: 'selfie' },
  'POST /api/agent/{id}/knowledge': { kind: 'faq', title: 'a', text: 'b' },
  'PUT /api/agent/{id}': { name: 'a' },
  ...{ 'PUT /api/agent/{id}/status': { enabled: false }, 'PUT /api/broadcast/{id}': { name: 'a' } },
  'POST /api/broadcast/{id}/send': {},
  'POST /api/livechat/conversations/{id}/assign': { team_id: '3' },
  'POST /api/livechat/conversations/{id}/messages': { type: 'text', text: 'a' },
  'POST /api/ticketing-feedback/{id}/assign': { user_id: 'u1' },
  'POST /api/ticketing-feedback/{id}/reply': { text: 'a' },
  'PUT /api/ticketing-feedback/{id}/status': { status: 'closed' },
  'POST /api/biolink/{id}/links': LINK,
  'PUT /api/biolink/{id}/links/{linkId}': LINK,
  'PUT /api/biolink/{id}/links/order': { ids: ['0199f7a0-0000-7000-8000-0000000000ff'] },
  'PUT /api/biolink/{id}/publish': { published: true },
};
