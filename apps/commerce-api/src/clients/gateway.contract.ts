import { Failure } from '@platform/errors';
import { timeLimit, uuidv7 } from '@platform/runtime';
import type { GatewayClient, NewCheckout } from '../features/gateways/port';

/** One gateway, and what buyers and networks do to it. */
export interface GatewaySubject {
  readonly client: GatewayClient;
  /** The buyer's doing. `amount`: in the settlement unit; all of it unless told. */
  become(invoiceNumber: string, state: 'paid' | 'failed' | 'expired', amount?: number): void | Promise<void>;
  /** How the next call ends. */
  breaks(how: 'hang' | 'refuse' | 'lost'): void | Promise<void>;
  /** How many payments it has under this number. */
  count(invoiceNumber: string): number | Promise<number>;
}

const NEVER = 'NONE-261120-XYZ999-9';

export const newCheckout = (change: Partial<NewCheckout> = {}): NewCheckout => ({
  requestId: uuidv7(),
  invoiceNumber: `INV-261120-${uuidv7().slice(-6).toUpperCase()}-1`,
  ...{ amount: 150_000, currency: 'IDR', description: 'Pesanan 🛒 Anda' },
  buyer: { name: 'Ibu Siti é', phone: '+628123456789' },
  lines: [
    { name: 'Kopi 🛒 Gayo', qty: 2, price: 50_000 },
    { name: 'Teh', qty: 1, price: 50_000 },
  ],
  expiresAt: new Date(Date.now() + 3_600_000),
  ...{ channels: [], returnUrl: 'https://toko.example/pay/t' },
  ...change,
});

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it answered',
    (thrown: unknown) => (thrown instanceof Failure ? [thrown.kind, (thrown as { outcome?: string }).outcome] : thrown),
  );

type SubjectOf = () => GatewaySubject;

const checkouts = (subjectOf: SubjectOf): void => {
  it('a new checkout has an address for the buyer, and is pending until somebody pays', async () => {
    const { client } = subjectOf();
    const checkout = newCheckout();
    const { url, ref, expiresAt } = await client.create(checkout);
    expect(url).toMatch(/^https?:\/\//);
    expect(Math.abs(expiresAt.getTime() - checkout.expiresAt.getTime())).toBeLessThan(120_000);
    expect(await client.status(checkout.invoiceNumber, ref)).toMatchObject({
      ...{ state: 'pending', invoiceNumber: checkout.invoiceNumber, amount: 150_000, currency: 'IDR', paidAt: null },
    });
  });

  it('a checkout with what is optional left out, and with all of it, is taken', async () => {
    const { client } = subjectOf();
    const least = newCheckout({ lines: [], channels: [] });
    const { returnUrl: _, ...bare } = least;
    expect((await client.create(bare)).url).toBeTruthy();
    const buyer = { name: 'Siti', phone: '+628123456789', email: 'siti@example.com' };
    // Fees and discounts are no lines: these do not add up to the amount
    const lines = [{ name: 'Kopi', qty: 1, price: 1 }];
    expect((await client.create(newCheckout({ buyer, lines, channels: ['BCA'] }))).url).toBeTruthy();
  });

  it('the same checkout again is the same payment', async () => {
    const { client, count } = subjectOf();
    const checkout = newCheckout();
    const first = await client.create(checkout);
    expect(await client.create({ ...checkout, description: 'Lagi' })).toEqual({
      ...first,
      expiresAt: expect.any(Date),
    });
    expect(await count(checkout.invoiceNumber)).toBe(1);
  });

  it('a checkout whose answer was lost is found again by a repeat', async () => {
    const { client, breaks, count } = subjectOf();
    const checkout = newCheckout();
    await breaks('lost');
    expect(await failureOf(client.create(checkout))).toEqual(['upstreamFailed', 'unknown']);
    expect((await client.create(checkout)).url).toBeTruthy();
    expect(await count(checkout.invoiceNumber)).toBe(1);
  });
};

const ends = (subjectOf: SubjectOf): void => {
  it.each(['paid', 'failed', 'expired'] as const)('what the buyer did is told: %s', async (end) => {
    const { client, become } = subjectOf();
    const { invoiceNumber, ...rest } = newCheckout();
    const { ref } = await client.create({ invoiceNumber, ...rest });
    await become(invoiceNumber, end);
    const told = await client.status(invoiceNumber, ref);
    expect(told).toMatchObject({ invoiceNumber, amount: 150_000, currency: 'IDR' });
    // Some providers have no such state: whoever failed may try again
    expect(end === 'failed' ? ['failed', 'pending'] : [end]).toContain(told?.state);
    expect((await client.status(invoiceNumber, null))?.state).toBe(told?.state);
  });

  it('another amount than was asked for is told as it came', async () => {
    const { client, become } = subjectOf();
    const checkout = newCheckout();
    const { ref } = await client.create(checkout);
    await become(checkout.invoiceNumber, 'paid', 149_999);
    expect(await client.status(checkout.invoiceNumber, ref)).toMatchObject({ state: 'paid', amount: 149_999 });
  });

  it('a payment that nobody asked for is not known', async () => {
    expect(await subjectOf().client.status(NEVER, null)).toBeNull();
  });
};

const failures = (subjectOf: SubjectOf): void => {
  it('no connection: nothing was done, or nobody knows', async () => {
    const { client, breaks } = subjectOf();
    await breaks('refuse');
    const [kind, outcome] = (await failureOf(client.create(newCheckout()))) as string[];
    expect([kind, ['undone', 'unknown'].includes(String(outcome))]).toEqual(['upstreamFailed', true]);
  });

  it('a gateway that hangs is left when the caller has enough, and may have done it', async () => {
    const { client, breaks } = subjectOf();
    await breaks('hang');
    expect(await failureOf(client.create(newCheckout(), timeLimit(50)))).toEqual(['upstreamTimedOut', 'unknown']);
  });
};

const expiries = (subjectOf: SubjectOf): void => {
  it('an expired checkout can be expired again, where the gateway expires any', async () => {
    const { client } = subjectOf();
    const checkout = newCheckout();
    const { ref } = await client.create(checkout);
    if (!client.expire || ref === null) return;
    await client.expire(ref);
    expect((await client.status(checkout.invoiceNumber, ref))?.state).toBe('expired');
    await client.expire(ref);
    await expect(client.expire('nobody')).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('a paid checkout stays paid when it is expired', async () => {
    const { client, become } = subjectOf();
    const checkout = newCheckout();
    const { ref } = await client.create(checkout);
    if (!client.expire || ref === null) return;
    await become(checkout.invoiceNumber, 'paid');
    await client.expire(ref);
    expect((await client.status(checkout.invoiceNumber, ref))?.state).toBe('paid');
  });
};

const moneyOut = (subjectOf: SubjectOf): void => {
  it('a refund is done once per key, and never above what came, where the gateway refunds', async () => {
    const { client, become } = subjectOf();
    const checkout = newCheckout();
    const { ref } = await client.create(checkout);
    if (!client.refund || ref === null) return;
    await become(checkout.invoiceNumber, 'paid');
    const refund = { id: uuidv7(), ref, amount: 100_000, currency: 'IDR', reason: 'barang rusak' };
    const first = await client.refund(refund);
    expect(first.state).toBe('succeeded');
    expect(await client.refund(refund)).toEqual(first);
    await expect(client.refund({ ...refund, id: uuidv7() })).rejects.toMatchObject({ outcome: 'refused' });
  });

  it('a payout is made once per key, where the gateway pays out', async () => {
    const { client, breaks } = subjectOf();
    const { payout, payoutStatus } = client;
    if (!payout || !payoutStatus) return;
    const asked = { id: uuidv7(), amount: 90_000, currency: 'IDR', bankCode: 'BCA', number: '1234567890' };
    const whole = { ...asked, holder: 'Siti', description: 'Penarikan' };
    const first = await payout.call(client, whole);
    expect(first).toEqual({ ref: expect.any(String), state: 'accepted' });
    expect(await payout.call(client, whole)).toEqual(first);
    expect(await payoutStatus.call(client, first.ref)).toEqual(first);
    expect(await payoutStatus.call(client, 'nobody')).toBeNull();
    await breaks('lost');
    const lost = { ...whole, id: uuidv7() };
    expect(await failureOf(payout.call(client, lost))).toEqual(['upstreamFailed', 'unknown']);
  });
};

/** What this service relies on at every payment provider. A subject serves one test. */
export const gatewayContract = (subjectOf: SubjectOf): void => {
  for (const part of [checkouts, ends, failures, expiries, moneyOut]) part(subjectOf);
};
