import { refused } from '../../../asked.fixture';
import type { OrderView } from '../../sales/orders/orders.dto';
import { deliver, gatewayShop, OK, ROUTES, useDesks } from '../gateways.fixture';

const commerce = useDesks();
const unknown = refused(404, 'not_found', 'No such payment');

describe('an account of a store', () => {
  it('is believed of its own payments alone', async () => {
    const [own, other] = [await gatewayShop(commerce), await gatewayShop(commerce)];
    const credentials = { client_id: `MCH-${own.storeId}`, secret: 'their own' };
    await own.ask('PUT', '/payment/methods/a', { credentials });
    const [mine, theirs] = [await own.sell('a'), await other.sell('a')];
    const signed = (order: OrderView) =>
      commerce.desks.a.notice(
        ROUTES.a,
        { number: `${order.number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' },
        credentials,
      );
    expect(await deliver(commerce.url, ROUTES.a, signed(theirs))).toEqual(unknown);
    expect((await other.payment(theirs)).status).toBe('pending');
    expect(await deliver(commerce.url, ROUTES.a, signed(mine))).toEqual(OK);
    expect((await own.payment(mine)).status).toBe('paid');
    expect(await own.postings()).toEqual(['order_paid D external_cash 20000, C external_sales 20000']);
    // The platform's own notice does not speak for it either
    const again = await own.sell('a');
    expect(
      await deliver(
        commerce.url,
        ROUTES.a,
        commerce.desks.a.notice(ROUTES.a, { number: `${again.number}-1`, status: 'SUCCESS', amount: 20_000, id: 'e1' }),
      ),
    ).toEqual(unknown);
  });

  it('does not pay what goes to the platform, replayed or not', async () => {
    const shop = await gatewayShop(commerce);
    const order = await shop.sell('a');
    const credentials = { client_id: `MCH-${shop.storeId}`, secret: 'their own' };
    await shop.ask('PUT', '/payment/methods/a', { credentials });
    const body = { number: `${order.number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' };
    expect(await deliver(commerce.url, ROUTES.a, commerce.desks.a.notice(ROUTES.a, body, credentials))).toEqual(
      unknown,
    );
    const [event] = await shop.events();
    expect(event).toMatchObject({ signature_ok: true, outcome: 'unknown_order' });
    expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toEqual(unknown);
    expect((await shop.payment(order)).status).toBe('pending');
    expect(await shop.postings()).toEqual([]);
  });

  it('of two stores is that of both', async () => {
    const shops = [await gatewayShop(commerce), await gatewayShop(commerce)];
    const credentials = { callback_token: `token of ${shops[0]?.storeId}`, key: 'k' };
    for (const shop of shops) await shop.ask('PUT', '/payment/methods/b', { credentials });
    for (const shop of shops) {
      const order = await shop.sell('b');
      const body = { number: `${order.number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' };
      expect(await deliver(commerce.url, ROUTES.b, commerce.desks.b.notice(ROUTES.b, body, credentials))).toEqual(OK);
      expect((await shop.now(order)).payment_status).toBe('paid');
    }
  });
});
