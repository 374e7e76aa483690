import { useRunning } from '@platform/testing';
import { FakeGateway } from '../../../clients/gateway.fake';
import { xenditNotices } from '../../../clients/pay-b.xendit';
import { refused } from '../../../asked.fixture';
import { startCommerce } from '../../../commerce.fixture';
import type { Withdrawal } from '../../wallet/withdrawals/withdrawals.dto';
import { settlePayout } from '../../wallet/withdrawals/settle-payout';
import { heldBy, walletShop } from '../../wallet/wallet.fixture';
import { deliver, ROUTES } from '../gateways.fixture';

const TOKEN = 'the token of the platform';
const client = new FakeGateway('b');
const slot = {
  platform: { client, notices: xenditNotices({ key: 'k', callback_token: TOKEN }), name: TOKEN },
  ...{ fee: { percentBp: 0, fixed: 0 }, trusted: false },
  open: (credentials: object) => ({ client, notices: xenditNotices(credentials as never) }),
};
const commerce = useRunning(() =>
  startCommerce({ SENDS: 'held' }, undefined, {
    gateways: { slots: { a: undefined, b: slot, c: undefined }, sign: undefined },
  }),
);

/** What Xendit tells of a payout. */
const noticeOf = (id: string, event: 'payout.reversed' | 'payout.succeeded', token: string) => ({
  headers: { 'content-type': 'application/json', 'x-callback-token': token },
  raw: JSON.stringify({
    ...{ event, business_id: 'b1', created: '2026-03-12T08:00:00Z' },
    data: {
      ...{ id: 'disb-1', reference_id: id, amount: 50_000, currency: 'IDR', channel_code: 'ID_BCA' },
      status: event === 'payout.reversed' ? 'REVERSED' : 'SUCCEEDED',
    },
  }),
});

it('a store that signs with an account of its own gets no money back that was paid out', async () => {
  const shop = await walletShop(commerce, 100_000);
  const { id } = (await shop.withdraw()).body.data;
  const paid = { referenceId: id, state: 'succeeded', ref: 'disb-1' } as const;
  await commerce.database.tx((tx) => settlePayout(tx, commerce.clock.now(), paid));
  const token = `token of ${shop.storeId}`;
  await shop.ask('PUT', '/payment/methods/b', { credentials: { key: 'k', callback_token: token } });

  const unknown = refused(404, 'not_found', 'No such payment');
  const forged = noticeOf(id, 'payout.reversed', token);
  expect(await deliver(commerce.url, ROUTES.b, forged)).toEqual(unknown);
  const [event] = (await shop.ask<{ id: string }[]>('GET', '/logs/webhook')).body.data;
  expect(await shop.ask('POST', `/logs/webhook/${event?.id}/replay`)).toEqual(unknown);
  expect((await shop.ask<Withdrawal>('GET', `/wallet/withdraw/${id}`)).body.data.status).toBe('paid');
  expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_available: 47_500 });

  // The platform's own account does
  expect((await deliver(commerce.url, ROUTES.b, noticeOf(id, 'payout.reversed', TOKEN))).status).toBe(200);
  expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_available: 100_000 });
});

it('what the platform is told of a payout can be processed again, and changes nothing then', async () => {
  const shop = await walletShop(commerce, 100_000);
  const { id } = (await shop.withdraw()).body.data;
  expect((await deliver(commerce.url, ROUTES.b, noticeOf(id, 'payout.succeeded', TOKEN))).status).toBe(200);
  const [event] = (await shop.ask<{ id: string }[]>('GET', '/logs/webhook')).body.data;
  expect(await shop.ask('POST', `/logs/webhook/${event?.id}/replay`)).toMatchObject({
    ...{ status: 200, body: { data: { outcome: 'payout', attempts: 2 } } },
  });
  expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_available: 47_500 });
});
