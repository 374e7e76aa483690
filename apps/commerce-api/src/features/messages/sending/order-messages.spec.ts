import { until, useRunning } from '@platform/testing';
import { invalid, refused } from '../../../asked.fixture';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { startCommerce } from '../../../commerce.fixture';
import { fulfil, lockOrder } from '../../sales/orders/public';
import { moveShipment } from '../../shipping/parcels/public';
import { shippingShop, type ShippingShop } from '../../shipping/shipments/shipments.fixture';
import type { MessageTemplate } from '../templates/templates.dto';
import { messageTemplateCopies } from '../public';

const chat = useRunning(startFakeMessages);
const commerce = useRunning(() =>
  startCommerce({ CHAT_URL: chat.url, PAY_LINK_SECRET: 'links', PUBLIC_URL: 'https://shop.example' }),
);
afterEach(() => {
  chat.state.mood = 'answer';
});

/** No job of messages is left. */
const settled = () =>
  until(async () => {
    await commerce.database.query(
      'UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL',
    );
    const left = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
      WHERE t.identifier IN ('order.changed', 'order.paid.history', 'event.told', 'message.send', 'order.paid.message') AND j.attempts < j.max_attempts LIMIT 1`;
    return (await commerce.database.query(left)).length === 0;
  });
const told = (number: string) =>
  chat.messages().flatMap(({ pesan }) => (pesan?.includes(number) ? [pesan.split('\n')[0]] : []));
const WAYBILL = { courier: 'jne', waybill: 'jne0001234' };
/** As a courier tells of one parcel. */
const arrives = ({ by }: ShippingShop, orderId: string, id: string) =>
  commerce.database.tx(async (tx) => {
    await lockOrder(tx, by.storeId, orderId);
    await moveShipment(tx, by, id, { status: 'delivered' });
    await fulfil(tx, by, orderId, { type: 'delivered', text: '' });
  });

describe('what happens to an order', () => {
  it('is told its buyer once each, in the usual words where the store has none of its own', async () => {
    const shop = await shippingShop(commerce, 20);
    const order = await shop.place(shop.cart(1));
    await settled();
    await shop.ask('POST', `/order/${order.id}/waybill`, WAYBILL);
    await settled();
    expect(told(order.number)).toEqual([
      `Terima kasih! Pesanan ${order.number} di Toko Nusa sudah kami terima.`,
      `Pesanan ${order.number} dari Toko Nusa sedang dikirim.`,
    ]);
    const shipped = chat
      .messages()
      .find(({ pesan }) => pesan?.includes('sedang dikirim') && pesan.includes(order.number));
    expect(shipped?.pesan).toContain('\njne JNE0001234');
  });

  it('is told with its waybill, or not where the shop wants it quiet, also of what was packed for a service before', async () => {
    const shop = await shippingShop(commerce, 20);
    const packed = async (waybill: string, more: object = {}) => {
      const order = await shop.order([1]);
      await shop.ship(order, [1], { courier: 'jne', service: 'REG' });
      await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'jne', waybill, ...more });
      return order.number;
    };
    const [loud, quiet] = [await packed('jne0005678'), await packed('jne0005679', { notify: false })];
    await settled();
    const shipped = (number: string) =>
      chat.messages().flatMap(({ pesan }) => (pesan?.includes(number) && pesan.includes('dikirim') ? [pesan] : []));
    expect([shipped(loud), shipped(quiet)]).toEqual([[expect.stringContaining('jne JNE0005678')], []]);
  });

  it('is told with where it is paid, unless that is at the door', async () => {
    const shop = await shippingShop(commerce, 20);
    const { id: method_id } = (
      await shop.ask<{ id: string }>('POST', '/shipping/methods', { kind: 'cod', name: 'Bayar di tempat', cost: 5_000 })
    ).body.data;
    const address = { line: 'Jl. Dago 1', city: 'Bandung' };
    const atTheDoor = await shop.order([1], { address, payment_method: 'cod', shipping: { method_id } });
    const ahead = await shop.order([1]);
    await settled();
    const whole = (number: string) =>
      chat
        .messages()
        .find(({ pesan }) => pesan?.includes(number))
        ?.pesan?.split('\n') ?? [];
    expect(whole(atTheDoor.number)).toEqual([
      `Terima kasih! Pesanan ${atTheDoor.number} di Toko Nusa sudah kami terima.`,
      '- Hat 0 x1',
      'Total: Rp 15.000',
    ]);
    expect(whole(ahead.number).at(-1)).toMatch(/^Bayar di https:\/\/shop\.example\/pay\//);
  });

  it('has arrived for its buyer with the last of its parcels, once, however close they come', async () => {
    const shop = await shippingShop(commerce, 20);
    const sent = async (first: string) => {
      const order = await shop.order([2]);
      const parcels = [
        await shop.ship(order, [1], { waybill: `${first}1` }),
        await shop.ship(order, [1], { waybill: `${first}2` }),
      ];
      return { ...order, parcels: parcels.map(({ body }) => body.data.id) };
    };
    const [apart, together] = [await sent('JNE1000'), await sent('JNE2000')];
    const arrival = ({ number }: typeof apart) => told(number).filter((text) => text?.includes('sudah sampai'));
    await arrives(shop, apart.id, apart.parcels[0] ?? '');
    await settled();
    expect(arrival(apart)).toEqual([]);
    await arrives(shop, apart.id, apart.parcels[1] ?? '');
    for (const id of together.parcels) await arrives(shop, together.id, id);
    await settled();
    expect([apart, together].map(arrival)).toEqual(
      [apart, together].map(({ number }) => [
        `Pesanan ${number} dari Toko Nusa sudah sampai. Terima kasih telah berbelanja!`,
      ]),
    );
  });

  it('is not told as on its way when its buyer has it, however long that news has waited', async () => {
    const shop = await shippingShop(commerce, 20);
    const order = await shop.order([1]);
    await settled();
    chat.state.mood = 'down';
    const { calls } = chat.state;
    const { body } = await shop.ship(order, [1], { ...WAYBILL, waybill: 'jne0007890' });
    await until(() => chat.state.calls > calls);
    await arrives(shop, order.id, body.data.id);
    const received = 'UPDATE shipment SET received_at = now() WHERE store_id = $1 AND id = $2';
    await commerce.database.query(received, [shop.storeId, body.data.id]);
    chat.state.mood = 'answer';
    await settled();
    expect(told(order.number).slice(1)).toEqual([
      `Pesanan ${order.number} dari Toko Nusa sudah sampai. Terima kasih telah berbelanja!`,
    ]);
  });

  it('is told in the words of the active template, of which there is one', async () => {
    const shop = await shippingShop(commerce, 20);
    const body = 'Paket {{order_number}}: {{courier}}/{{waybill}}';
    const made = await shop.ask<MessageTemplate>('POST', '/template-message', { event: 'order_shipped', body });
    expect(made.status).toBe(201);
    expect(await shop.ask('POST', '/template-message', { event: 'order_shipped', body: 'x' })).toEqual(
      refused(409, 'event_taken', 'Another template of this event is active: switch it off first'),
    );
    const order = await shop.place(shop.cart(1));
    const { body: shown } = await shop.ask('POST', `/template-message/${made.body.data.id}/preview`, {
      order_id: order.id,
    });
    expect(shown.data).toEqual({ text: `Paket ${order.number}: …/…` });
    await shop.ask('POST', `/order/${order.id}/waybill`, { ...WAYBILL, waybill: 'jne0002345' });
    await settled();
    expect(told(order.number)).toContain(`Paket ${order.number}: jne/JNE0002345`);
  });

  it('is told nobody whom the store does not want told: switched off, or quiet for this parcel', async () => {
    const shop = await shippingShop(commerce, 20);
    await shop.ask('POST', '/template-message', { event: 'order_created', body: 'x', active: false });
    const order = await shop.place(shop.cart(1));
    await shop.ask('POST', `/order/${order.id}/waybill`, { ...WAYBILL, waybill: 'jne0003456', notify: false });
    await settled();
    expect(told(order.number)).toEqual([]);
  });

  it.each([
    ['is suspended', `UPDATE store SET status = 'suspended' WHERE store_id = $1`],
    ['has a plan that ended', `UPDATE store SET plan_state = 'expired' WHERE store_id = $1`],
    ['has blocked the buyer', `UPDATE contact SET blocked = true WHERE store_id = $1`],
    ['knows that the buyer wants nothing', `UPDATE contact SET opted_out_at = now() WHERE store_id = $1`],
  ])('is told nobody while the store %s', async (_, change) => {
    const shop = await shippingShop(commerce, 20);
    chat.state.mood = 'down';
    const { calls } = chat.state;
    const order = await shop.place(shop.cart(1));
    await until(() => chat.state.calls > calls);
    await commerce.database.query(change, [shop.storeId]);
    chat.state.mood = 'answer';
    await settled();
    expect(told(order.number)).toEqual([]);
  });
});

describe('a template', () => {
  it('names variables of its event only', async () => {
    const shop = await shippingShop(commerce, 1);
    const text = 'body names {{waybill}}, which order_paid does not have';
    expect(await shop.ask('POST', '/template-message', { event: 'order_paid', body: '{{ waybill }}' })).toEqual(
      invalid('body', text),
    );
    const { body } = await shop.ask<MessageTemplate>('POST', '/template-message', { event: 'order_paid', body: 'Ok' });
    expect(await shop.ask('PUT', `/template-message/${body.data.id}`, { body: '{{waybill}}' })).toEqual(
      invalid('body', text),
    );
  });

  it('is a row of chat-backend, and goes with it', async () => {
    const shop = await shippingShop(commerce, 1);
    const { body } = await shop.ask<MessageTemplate>('POST', '/template-message', { event: 'order_paid', body: 'Ok' });
    const { id } = body.data;
    const row = { id, nama: 'order_paid', type: 'chat', isi: 'Ok', aktif: true };
    const standing = () => messageTemplateCopies.standing(commerce.database, shop.storeId, [id]);
    expect(await standing()).toEqual([{ rowId: id, row }]);
    expect((await shop.ask('DELETE', `/template-message/${id}`)).status).toBe(200);
    expect([await standing(), messageTemplateCopies.keys(id)]).toEqual([[], { id }]);
  });
});
