import { uuidv7 } from '@platform/runtime';
import { OWNER_ID } from '../../clients/store-auth.fake';
import type { Commerce } from '../../commerce.fixture';

type Make = (path: string, body: unknown) => Promise<{ readonly id: string }>;

const NOTE = `INSERT INTO notification (store_id, id, user_id, notice_id, event, title, body, url, in_app, created_at)
  VALUES ($1, $2, $3, 'n', 'order.paid', 'x', 'x', '/x', true, now())`;

/** What the owner of a store is told, and says. */
export const saidOf = async (make: Make, storeId: string, { database }: Commerce) => {
  const template = await make('/template-message', { event: 'order_delivered', body: 'Ok', active: false });
  const room = await make('/teamchat/rooms', { name: 'Gudang', user_ids: [OWNER_ID] });
  const notification = uuidv7();
  await database.query(NOTE, [storeId, notification, OWNER_ID]);
  return { template: template.id, room: room.id, notification };
};
