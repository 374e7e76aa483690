import { useCommerce } from '../../../commerce.fixture';
import { addonIdOf, billedStore, renewNow, standAt, type BilledStore } from '../billing.fixture';
import type { Invoice } from '../invoices/public';

const commerce = useCommerce('2028-04-01T09:30:00.000Z');
const BEGIN = '2028-04-01T09:30:00.000Z';
beforeEach(() => standAt(commerce, BEGIN));

/** A store whose other plan is paid already, and begins in five days. */
const paidAhead = async (from: readonly [string, string], to: readonly [string, string], at: string) => {
  const store = await billedStore(commerce);
  await store.subscribed(...from);
  await store.change(...to);
  await store.fund(10_000_000);
  standAt(commerce, at);
  await renewNow(commerce);
  return store;
};
const device = async ({ ask }: BilledStore): Promise<Invoice> =>
  (await ask<Invoice>('POST', `/addon/${await addonIdOf(commerce, 'device')}/buy`, {})).body.data;

describe('when the next period is paid and is one of another plan', () => {
  it.each<[string, [string, string], [string, string], string, number]>([
    ['a month after a year', ['growth', 'yearly'], ['starter', 'monthly'], '2029-03-27T09:30:00Z', 49_000],
    ['a year after a month', ['enterprise', 'monthly'], ['starter', 'yearly'], '2028-04-26T09:30:00Z', 490_000],
  ])('an add-on costs in %s what it costs in a period of that kind', async (_name, from, to, at, price) => {
    const store = await paidAhead(from, to, at);
    const rest = from[1] === 'yearly' ? Math.ceil((490_000 * 5) / 365) : Math.ceil((49_000 * 5) / 30);
    expect((await device(store)).amount).toBe(rest + price);
  });

  it('whoever stays on the plan of now after all has it again after that period', async () => {
    const store = await paidAhead(['growth', 'monthly'], ['starter', 'monthly'], '2028-04-26T09:30:00Z');
    const back = (await store.change('growth')).body.data;
    expect(back).toMatchObject({ charge: 249_000, due_now: 0, effective_at: '2028-06-01T09:30:00.000Z' });
    standAt(commerce, '2028-05-01T09:30:00Z');
    await renewNow(commerce);
    expect(await store.subscription()).toMatchObject({ plan: { code: 'starter' }, next_plan: { code: 'growth' } });
    standAt(commerce, '2028-06-01T09:30:00Z');
    await renewNow(commerce);
    expect(await store.subscription()).toMatchObject({ plan: { code: 'growth' }, next_plan: null });
  });
});

it('more add-ons than a counter can bear allow as much as it can bear, and stop nothing', async () => {
  const store = await billedStore(commerce);
  await store.subscribed('enterprise');
  await store.fund(100_000_000);
  const storage = await addonIdOf(commerce, 'storage');
  for (let times = 0; times < 2; times += 1) {
    const bought = await store.ask<Invoice>('POST', `/addon/${storage}/buy`, { quantity: 100 });
    expect((await store.pay(bought.body.data)).status).toBe(200);
  }
  expect((await store.allowed()).storage).toBe(2_000_000_000);
});
