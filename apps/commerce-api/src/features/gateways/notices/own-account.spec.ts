import { refused } from '../../../asked.fixture';
import { deliver, gatewayShop, OK, ROUTES, useDesks } from '../gateways.fixture';

const commerce = useDesks();
const unknown = refused(404, 'not_found', 'No such payment');

it('an account of a store speaks for no payment to the platform, also when what it said is processed again', async () => {
  const shop = await gatewayShop(commerce);
  const orders = { a: await shop.sell('a'), b: await shop.sell('b') };
  const own = {
    a: { client_id: `MCH-${shop.storeId}`, secret: 'their own' },
    b: { callback_token: `token of ${shop.storeId}`, key: 'k' },
  };
  for (const code of ['a', 'b'] as const) {
    await shop.ask('PUT', `/payment/methods/${code}`, { credentials: own[code] });
    const body = { number: `${orders[code].number}-1`, status: 'SUCCESS', amount: 20_000, id: 'x' };
    const forged = commerce.desks[code].notice(ROUTES[code], body, own[code]);
    expect(await deliver(commerce.url, ROUTES[code], forged)).toEqual(unknown);
    const [event] = await shop.events();
    expect(await shop.ask('POST', `/logs/webhook/${event?.id as string}/replay`)).toEqual(unknown);
    expect((await shop.payment(orders[code])).status).toBe('pending');
    // What the provider itself says of it counts, also under the same key
    expect(await deliver(commerce.url, ROUTES[code], commerce.desks[code].notice(ROUTES[code], body))).toEqual(OK);
    expect((await shop.payment(orders[code])).status).toBe('paid');
  }
});
