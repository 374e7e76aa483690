import { uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startFakeHandled } from '../../../clients/chat.handled.fake';
import { newMember, NOW, startCommerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { digitalShop } from '../digital.fixture';

const chat = useRunning(() => startFakeHandled());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));

it('who sees only their own customers sends links to these alone', async () => {
  const shop = await digitalShop(commerce);
  const buy = async (phone: string): Promise<Order> => {
    const contact = { name: 'Budi', phone, email: 'budi@shop.example' };
    const order = (await shop.order(1, { contact })).body.data;
    await shop.pay(order);
    await shop.delivered(order);
    return order;
  };
  const [own, foreign] = [await buy('6281200000001'), await buy('6281299999999')];
  const { userId, token } = await newMember(commerce, shop.storeId, 'cs');
  const roleId = uuidv7();
  await commerce.database.query(
    `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Kirim', '{digital.write}', $3, $3)`,
    [shop.storeId, roleId, NOW],
  );
  await commerce.database.query(
    'UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2',
    [shop.storeId, userId, roleId],
  );
  chat.handled.set(`${shop.storeId} ${userId}`, ['6281200000001']);
  const resend = async (order: Order) => {
    const [row] = await shop.deliveries(order);
    const path = `/api/digital-store/deliveries/${row?.id}/resend`;
    const { status, body } = await commerce.call('POST', path, token, { channel: 'email' });
    return [status, (body as { message: string }).message];
  };
  expect([await resend(own), await resend(foreign)]).toEqual([
    [200, 'Download link created'],
    [404, 'Delivery not found'],
  ]);
});
