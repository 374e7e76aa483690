import { until } from '@platform/testing';
import { OWNER_ID } from './clients/store-auth.fake';
import { notify } from './notify';
import type { Made, Story } from './walk.fixture';

const templates = async ({ tell, ask }: Story): Promise<void> => {
  const body = 'Paket {{order_number}} sudah jalan!\nResi {{courier}}: {{waybill}}';
  const { id } = await tell('POST /api/template-message', { event: 'order_shipped', body });
  await tell('PUT /api/template-message/{id}', { body: `Hai {{buyer_name}}! ${body}` }, id);
  await tell('GET /api/template-message', { event: 'order_shipped' });
  const [order] = await ask<Made[]>('GET /api/order');
  await tell('POST /api/template-message/{id}/preview', { order_id: order?.id }, id);
  await tell('DELETE /api/template-message/{id}', undefined, id);
};

/** The keys of the example of RFC 8291 section 5. */
export const pushSettings = {
  VAPID_PRIVATE_KEY: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  VAPID_SUBJECT: 'mailto:push@toko.example',
};
const BROWSER = {
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  label: 'Chrome, Android',
};

const notifications = async ({ commerce, tell, ask }: Story): Promise<void> => {
  await ask('POST /api/notification/read-all');
  const params = { amount: 'Rp 150.000' };
  const notice = {
    storeId: 'S1',
    id: 'walk',
    event: 'withdrawal.paid',
    params,
    url: '/wallet',
    userIds: [OWNER_ID],
  } as const;
  await commerce.database.tx((tx) => notify(tx, notice));
  const unread = () => ask<Made[]>('GET /api/notification', { unread: 'true' });
  await until(async () => (await unread()).length === 1);
  const [note] = await tell<Made[]>('GET /api/notification', { unread: 'true' });
  await tell('POST /api/notification/{id}/read', undefined, note?.id ?? '');
  await tell('POST /api/notification/read-all');
  await tell('PUT /api/notification/preferences', {
    'order.paid': { email: true },
    'order.created': { in_app: false },
    push_subscription: BROWSER,
    push_content: true,
  });
  await tell('GET /api/notification/preferences');
  const { endpoint } = BROWSER;
  await ask('PUT /api/notification/preferences', { push_subscription: { endpoint } });
};

/** What buyers and members are told, and what members tell each other. */
export const tellPeople = async (story: Story): Promise<void> => {
  const { tell } = story;
  await templates(story);
  await notifications(story);
  const room = await tell('POST /api/teamchat/rooms', { name: 'Gudang', user_ids: [OWNER_ID] });
  await tell('POST /api/teamchat/rooms/{id}/messages', { text: 'Stok topi tinggal dua' }, room.id);
  await tell('GET /api/teamchat/rooms/{id}/messages', undefined, room.id);
  await tell('GET /api/teamchat/rooms');
};
