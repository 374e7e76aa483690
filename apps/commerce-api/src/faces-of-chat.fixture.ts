import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { feedbackToken } from './features/tickets/feedback.token';
import { startInboxWorld } from './features/inbox/inbox.fixture';
import { conversationIdOf, conversationOf } from './features/inbox/conversations/conversation.id';
import type { FaceRow } from './faces.fixture';

const LINK_SECRET = 'a secret that signs links of the shop';

/** Longer than all rows take to be asked, and no longer than a test may wait. */
export const startFacesWorld = () => startInboxWorld({ OWNER_TIMEOUT_MS: '4000', PAY_LINK_SECRET: LINK_SECRET });

export type FacesWorld = Awaited<ReturnType<typeof startFacesWorld>>;
export type FacesShop = Awaited<ReturnType<FacesWorld['store']>>;
type Row = FaceRow<FacesShop>;

const PHONE = '6281234567890';
const NOT_FOUND = [404, 'not_found'] as const;
const INVALID = [422, 'validation'] as const;
const TRANSITION = [409, 'invalid_transition'] as const;
const call =
  (method: string, path: string, body?: unknown): Row['refused'] =>
  ({ ask }) =>
    ask(method, path, body);
const dataOf = async <Data>(answer: Promise<{ readonly body: { readonly data: Data } }>) => (await answer).body.data;

const inConversation =
  (more: string, body?: (shop: FacesShop) => Promise<object> | object): Row['ready'] =>
  async (shop) => {
    const { id } = await shop.written(PHONE, 'halo');
    return [`/livechat/conversations/${id}${more}`, await body?.(shop)];
  };
/** A conversation of this store that chat-backend has not. */
const inNoConversation =
  (method: string, more: string, body?: object): Row['refused'] =>
  async (shop) => {
    const ref = conversationOf((await shop.written(PHONE, 'halo')).id);
    if (!ref) throw new Error('the id names no conversation');
    const nobodys = conversationIdOf({ ...ref, chatId: `${shop.storeId}.${uuidv7()}` });
    return shop.ask(method, `/livechat/conversations/${nobodys}${more}`, body);
  };

/** Everybody reads the chats of the shop's team, and its members alone answer them. */
const openTeams = (shop: FacesShop): Promise<unknown> =>
  shop.there('UPDATE teams SET private = false WHERE store_id = $1');

const said = (type: string, body: (shop: FacesShop) => Promise<object> | object): Row => ({
  row: `POST /livechat/conversations/{id}/messages  ${type}`,
  ready: inConversation('/messages', async (shop) => ({ type, ...(await body(shop)) })),
  good: 201,
  refused: inNoConversation('POST', '/messages', { type: 'text', text: 'x' }),
  because: NOT_FOUND,
});
const file = (head: string, name: string) => async (shop: FacesShop) => ({ media_id: await shop.upload(head, name) });

const CONVERSATIONS: readonly Row[] = [
  {
    ...{ row: 'GET /livechat/conversations', ready: () => ['/livechat/conversations'], good: 200 },
    ...{ refused: call('GET', '/livechat/conversations?team_id=nobody'), because: NOT_FOUND },
  },
  {
    ...{ row: 'GET /livechat/conversations/{id}/messages', ready: inConversation('/messages'), good: 200 },
    ...{ refused: inNoConversation('GET', '/messages'), because: NOT_FOUND },
  },
  said('text', () => ({ text: 'Ada, kak' })),
  said('image', file('ffd8ffe0', 'topi.jpg')),
  said('video', file('000000186674797069736f6d0000020069736f6d69736f32', 'topi.mp4')),
  said('audio', file('4944330300000000', 'topi.mp3')),
  said('document', file('ffd8ffe0', 'topi.jpg')),
  said('location', () => ({ latitude: -6.2, longitude: 106.8 })),
  said('link', () => ({ url: 'https://toko.example/topi', text: 'Lihat' })),
  {
    row: 'POST /livechat/conversations/{id}/messages  twice in two conversations',
    ready: inConversation('/messages', () => ({ type: 'text', text: 'Ya' })),
    ...{ good: 201, because: [409, 'duplicate'] },
    refused: async (shop) => {
      const [one, other] = [await shop.written(PHONE, 'halo'), await shop.written('6281234567891', 'halo')];
      const say = (id: string) =>
        shop.ask('POST', `/livechat/conversations/${id}/messages`, { type: 'text', text: 'Ya' }, 'k-1');
      await say(one.id);
      return say(other.id);
    },
  },
  {
    row: 'POST /livechat/conversations/{id}/assign  to a user',
    ready: inConversation('/assign', ({ ownerId }) => ({ user_id: ownerId })),
    ...{ good: 200, because: NOT_FOUND },
    refused: async (shop) =>
      shop.ask('POST', `/livechat/conversations/${(await shop.written(PHONE, 'x')).id}/assign`, { user_id: uuidv7() }),
  },
  {
    row: 'POST /livechat/conversations/{id}/assign  to a team',
    ready: inConversation('/assign', () => ({ team_id: '3' })),
    ...{ good: 200, because: [409, 'chat_finished'] },
    refused: async (shop) => {
      const at = `/livechat/conversations/${(await shop.written(PHONE, 'x')).id}`;
      await shop.ask('POST', `${at}/assign`, { user_id: shop.ownerId });
      await shop.ask('POST', `${at}/close`, {});
      return shop.ask('POST', `${at}/assign`, { team_id: '3' });
    },
  },
  {
    row: 'POST /livechat/conversations/{id}/close',
    ready: inConversation('/close', () => ({ note: 'Terjual' })),
    ...{ good: 200, because: [403, 'forbidden'] },
    refused: async (shop) => {
      const { id } = await shop.written(PHONE, 'x');
      await openTeams(shop);
      return (await shop.member('9')).ask('POST', `/livechat/conversations/${id}/close`, {});
    },
  },
];

const toPhone = ({ deviceId: device_id }: FacesShop) => ({ device_id, to: PHONE });
const sent = (path: string, body: (shop: FacesShop) => Promise<object> | object): Row => ({
  row: `POST ${path}`,
  ready: async (shop) => [path, { ...toPhone(shop), ...(await body(shop)) }],
  ...{ good: 202, because: INVALID },
  refused: async (shop) => shop.ask('POST', path, { ...toPhone(shop), ...(await body(shop)), to: 'nobody' }),
});
const MESSAGES: readonly Row[] = [
  sent('/wa/send-message', () => ({ text: 'Pesanan siap' })),
  sent('/wa/send-media', async (shop) => ({ type: 'image', media_id: await shop.picture() })),
  sent('/wa/send-location', () => ({ latitude: -6.2, longitude: 106.8 })),
  {
    ...{ row: 'POST /wa/check-number', ready: () => ['/wa/check-number', { phone: PHONE }], good: 200 },
    ...{ refused: call('POST', '/wa/check-number', { phone: 'x' }), because: INVALID },
  },
  {
    ...{ row: 'GET /wa/groups', ready: ({ deviceId }) => [`/wa/groups?device_id=${deviceId}`], good: 200 },
    ...{ refused: call('GET', `/wa/groups?device_id=${uuidv7()}`), because: NOT_FOUND },
  },
];

export const draftOf = ({ deviceId: device_id }: FacesShop, more: object = {}) => ({
  ...{ name: 'Promo', device_id, audience: { all: true }, message: { text: 'Halo {{name}}' }, ...more },
});
const drafted = async (shop: FacesShop): Promise<string> =>
  (await dataOf(shop.ask<{ id: string }>('POST', '/broadcast', draftOf(shop)))).id;
const stateOf = async ({ ask }: FacesShop, id: string) =>
  (await dataOf(ask<{ status: string }>('GET', `/broadcast/${id}`))).status;
/** One that is being sent, slowly. */
const sending = async (shop: FacesShop): Promise<string> => {
  for (const n of [1, 2, 3]) await shop.ask('POST', '/contact', { name: `P${n}`, phone: `628120000000${n}` });
  const id = await drafted(shop);
  await shop.ask('POST', `/broadcast/${id}/send`, {});
  await until(
    () => stateOf(shop, id),
    (status) => status === 'sending',
  );
  return id;
};
const ofDraft =
  (more: string, body?: object): Row['ready'] =>
  async (shop) => [`/broadcast/${await drafted(shop)}${more}`, body];
const NO_BROADCAST = `/broadcast/${uuidv7()}`;

const BROADCASTS: readonly Row[] = [
  {
    ...{ row: 'GET /broadcast', ready: () => ['/broadcast'], good: 200 },
    ...{ refused: call('GET', '/broadcast?cursor=forged'), because: INVALID },
  },
  {
    ...{ row: 'POST /broadcast', ready: (shop) => ['/broadcast', draftOf(shop)], good: 201, because: NOT_FOUND },
    refused: (shop) => shop.ask('POST', '/broadcast', draftOf(shop, { message: { template_id: 'none' } })),
  },
  {
    ...{ row: 'GET /broadcast/{id}', ready: ofDraft(''), good: 200 },
    ...{ refused: call('GET', NO_BROADCAST), because: NOT_FOUND },
  },
  {
    ...{ row: 'PUT /broadcast/{id}', ready: ofDraft('', { name: 'Baru' }), good: 200, because: TRANSITION },
    refused: async (shop) => shop.ask('PUT', `/broadcast/${await sending(shop)}`, { name: 'Baru' }),
  },
  {
    ...{ row: 'DELETE /broadcast/{id}', ready: ofDraft(''), good: 200 },
    ...{ refused: call('DELETE', NO_BROADCAST), because: NOT_FOUND },
  },
  {
    ...{ row: 'POST /broadcast/{id}/send', ready: ofDraft('/send', {}), good: 200 },
    ...{ refused: call('POST', `${NO_BROADCAST}/send`, {}), because: NOT_FOUND },
  },
  {
    row: 'POST /broadcast/{id}/pause',
    ready: async (shop) => [`/broadcast/${await sending(shop)}/pause`],
    ...{ good: 200, because: TRANSITION },
    refused: async (shop) => shop.ask('POST', `/broadcast/${await drafted(shop)}/pause`),
  },
  {
    row: 'POST /broadcast/{id}/resume',
    ready: async (shop) => {
      const id = await sending(shop);
      await shop.ask('POST', `/broadcast/${id}/pause`);
      return [`/broadcast/${id}/resume`];
    },
    ...{ good: 200, because: TRANSITION },
    refused: async (shop) => shop.ask('POST', `/broadcast/${await drafted(shop)}/resume`),
  },
  {
    row: 'POST /broadcast/{id}/cancel',
    ready: async (shop) => [`/broadcast/${await sending(shop)}/cancel`],
    ...{ good: 200, refused: call('POST', `${NO_BROADCAST}/cancel`), because: NOT_FOUND },
  },
  {
    ...{ row: 'GET /broadcast/{id}/recipients', ready: ofDraft('/recipients'), good: 200 },
    ...{ refused: call('GET', `${NO_BROADCAST}/recipients`), because: NOT_FOUND },
  },
];

export const TICKET = { phone: PHONE, subject: 'Retur', body: 'Salah ukuran' };
const opened = async ({ ask }: FacesShop): Promise<string> =>
  (await dataOf(ask<{ id: string }>('POST', '/ticketing-feedback', TICKET))).id;
const ofTicket =
  (more: string, body?: (shop: FacesShop) => object): Row['ready'] =>
  async (shop) => [`/ticketing-feedback/${await opened(shop)}${more}`, body?.(shop)];
const onTicket =
  (method: string, more: string, body: object): Row['refused'] =>
  async (shop) =>
    shop.ask(method, `/ticketing-feedback/${await opened(shop)}${more}`, body);
const onClosed =
  (method: string, more: string, body: object): Row['refused'] =>
  async (shop) => {
    const id = await opened(shop);
    await shop.ask('PUT', `/ticketing-feedback/${id}/status`, { status: 'closed' });
    return shop.ask(method, `/ticketing-feedback/${id}${more}`, body);
  };
const rating = async (shop: FacesShop) =>
  `/ticketing-feedback/rating/${feedbackToken(LINK_SECRET, await opened(shop), new Date())}`;

const TICKETS: readonly Row[] = [
  {
    ...{ row: 'GET /ticketing-feedback', ready: () => ['/ticketing-feedback'], good: 200 },
    ...{ refused: call('GET', '/ticketing-feedback?cursor=forged'), because: INVALID },
  },
  {
    row: 'POST /ticketing-feedback',
    ready: () => ['/ticketing-feedback', TICKET],
    ...{ good: 201, because: [403, 'forbidden'] },
    refused: async (shop) => {
      await shop.written(PHONE, 'halo');
      return (await shop.member('9')).ask('POST', '/ticketing-feedback', TICKET);
    },
  },
  {
    ...{ row: 'GET /ticketing-feedback/{id}', ready: ofTicket(''), good: 200, because: NOT_FOUND },
    refused: (shop) => shop.ask('GET', `/ticketing-feedback/${shop.storeId}.${uuidv7()}`),
  },
  {
    ...{ row: 'POST /ticketing-feedback/{id}/reply', ready: ofTicket('/reply', () => ({ text: 'Ya' })), good: 201 },
    ...{ refused: onClosed('POST', '/reply', { text: 'Ya' }), because: [409, 'ticket_closed'] },
  },
  {
    row: 'PUT /ticketing-feedback/{id}/status',
    ready: ofTicket('/status', () => ({ status: 'pending' })),
    ...{ good: 200, refused: onClosed('PUT', '/status', { status: 'pending' }), because: [409, 'ticket_closed'] },
  },
  {
    row: 'POST /ticketing-feedback/{id}/assign',
    ready: ofTicket('/assign', ({ ownerId }) => ({ user_id: ownerId })),
    ...{ good: 200, refused: onTicket('POST', '/assign', { user_id: uuidv7() }), because: NOT_FOUND },
  },
  {
    row: 'POST /ticketing-feedback/rating/{token}',
    ready: async (shop) => [await rating(shop), { rating: 5 }],
    ...{ good: 200, because: [409, 'already_rated'] },
    refused: async (shop) => {
      const path = await rating(shop);
      await shop.ask('POST', path, { rating: 5 });
      return shop.ask('POST', path, { rating: 1 });
    },
  },
];

const DAY = 'from=2026-11-01&to=2026-11-02';
const FIGURES: readonly Row[] = [
  {
    ...{ row: 'GET /report/agents', ready: () => [`/report/agents?${DAY}`], good: 200 },
    ...{ refused: call('GET', '/report/agents?from=2026-11-02&to=2026-11-01'), because: INVALID },
  },
  {
    // Its chats are `null` then
    ...{ row: 'GET /dashboard/summary', ready: () => ['/dashboard/summary'], good: 200, away: [200, undefined] },
    refused: ({ stranger }) => stranger()('GET', '/dashboard/summary'),
    because: [403, 'forbidden'],
  },
];

export const FACES_OF_CHAT: readonly Row[] = [...CONVERSATIONS, ...MESSAGES, ...BROADCASTS, ...TICKETS, ...FIGURES];
