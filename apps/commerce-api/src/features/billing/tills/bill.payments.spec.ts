import { until } from '@platform/testing';
import { refused } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { deliver, OK, useDesks } from '../../gateways/gateways.fixture';
import { billedStore, type BilledStore } from '../billing.fixture';
import type { Invoice } from '../invoices/public';

const commerce = useDesks();
const payAtB = ({ ask }: BilledStore, { id }: Invoice) =>
  ask<Invoice>('POST', `/subscription/invoices/${id}/pay`, { method: 'b' });
const paidAt = (number: string, amount: number) => {
  const notice = commerce.desks.b.notice('/api/pay_b/webhook', { number, status: 'SUCCESS', amount, id: number });
  return deliver(commerce.url, '/api/pay_b/webhook', notice);
};
const attemptsOf = ({ storeId }: BilledStore) =>
  commerce.database.query<{ invoice_number: string; status: string }>(
    'SELECT invoice_number, status FROM payment WHERE store_id = $1 ORDER BY created_at, attempt',
    [storeId],
  );

describe('a bill at provider B', () => {
  it('has the address where it is paid, one however many ask at once, and is paid when the provider says so', async () => {
    const store = await billedStore(commerce);
    const bill = await store.bill('starter');
    const asked = await payAtB(store, bill);
    expect(asked).toEqual({
      status: 200,
      body: { status: 'success', message: 'Invoice updated', data: { ...bill, url: expect.any(String) as string } },
    });
    const again = await Promise.all(Array.from({ length: 10 }, () => payAtB(store, bill)));
    expect(again).toEqual(Array(10).fill(asked));
    expect(await attemptsOf(store)).toEqual([{ invoice_number: `${bill.number}-1`, status: 'pending' }]);
    expect((await store.subscription()).status).toBe('trialing');
    expect(await paidAt(`${bill.number}-1`, bill.amount)).toEqual(OK);
    await until(async () => (await store.subscription()).status === 'active');
    expect([(await store.subscription()).plan.code, await store.wallet()]).toEqual(['starter', 0]);
    expect((await payAtB(store, bill)).body.code).toBe('invalid_transition');
  });

  it('leads back to itself, and a top-up to the wallet', async () => {
    const store = await billedStore(commerce);
    const bill = await store.bill('starter');
    await payAtB(store, bill);
    const { body } = await store.ask<{ url: string }>('POST', '/wallet/topup', { amount: 50_000 });
    const backs = [`${bill.number}-1`, body.data.url.split('/').at(-1) ?? ''].map(
      (number) => commerce.desks.b.payments.get(number)?.returnUrl,
    );
    expect(backs).toEqual([`https://shop.example/billing/invoices/${bill.id}`, 'https://shop.example/wallet']);
  });

  it('that is void is withdrawn there, and money that comes all the same is in the wallet', async () => {
    const store = await billedStore(commerce);
    const first = await store.bill('enterprise');
    await payAtB(store, first);
    const second = await store.bill('starter');
    expect(await attemptsOf(store)).toEqual([{ invoice_number: `${first.number}-1`, status: 'cancelled' }]);
    expect(await paidAt(`${first.number}-1`, first.amount)).toEqual(OK);
    expect([await store.wallet(), (await store.subscription()).status]).toEqual([first.amount, 'trialing']);
    await store.pay(second);
    expect([await store.wallet(), (await store.subscription()).plan.code]).toEqual([first.amount - 99_000, 'starter']);
  });

  it('that is paid from the wallet, too, is paid once: what comes from the provider is in the wallet', async () => {
    const store = await billedStore(commerce);
    const bill = await store.bill('starter');
    await payAtB(store, bill);
    await store.fund(bill.amount);
    await store.pay(bill);
    expect(await paidAt(`${bill.number}-1`, bill.amount)).toEqual(OK);
    expect([await store.wallet(), (await store.subscription()).status]).toEqual([99_000, 'active']);
  });
});

describe('where the platform has no account', () => {
  const without = useCommerce();

  it('a bill is paid from the wallet alone', async () => {
    const store = await billedStore(without);
    const told = refused(409, 'provider_unavailable', 'Payments by this provider cannot be made here');
    expect(await payAtB(store, await store.bill('starter'))).toEqual(told);
  });
});
