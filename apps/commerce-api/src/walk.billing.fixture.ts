import type { Invoice } from './features/billing/invoices/public';
import { fund } from './features/billing/billing.fixture';
import type { Made, Story } from './walk.fixture';

interface Coded extends Made {
  readonly code: string;
}
const STORE = 'S1';
const idOf = (rows: readonly Coded[], code: string): string => rows.find((row) => row.code === code)?.id ?? '';

const payFor = async ({ commerce, ask }: Story, { id, amount }: Invoice): Promise<void> => {
  await fund(commerce, STORE, amount);
  await ask('POST /api/subscription/invoices/{id}/pay', { method: 'wallet' }, id);
};

/** The shop chooses a plan, pays for it, and finds out that it needs a larger one. */
export const choosePlan = async (story: Story): Promise<void> => {
  const { commerce, tell, ask } = story;
  const plans = await tell<Coded[]>('GET /api/new-package');
  const [starter, growth] = [idOf(plans, 'starter'), idOf(plans, 'growth')];
  await tell('GET /api/new-package/{id}', undefined, starter);
  const [old] = await tell<Coded[]>('GET /api/package');
  await tell('GET /api/package/{id}', undefined, old?.id ?? '');
  const addons = await tell<Coded[]>('GET /api/addon');
  const choice = { plan_id: starter, period: 'monthly', addon_ids: [idOf(addons, 'device')] };
  await tell('POST /api/new-package/quote', choice);
  const bill = await tell<Invoice>('POST /api/subscription', choice);
  await fund(commerce, STORE, bill.amount);
  await tell('POST /api/subscription/invoices/{id}/pay', { method: 'wallet' }, bill.id);
  await payFor(story, await tell<Invoice>('POST /api/addon/{id}/buy', { quantity: 2 }, idOf(addons, 'staff')));
  const active = await tell<Made[]>('GET /api/addon/active');
  await tell('POST /api/addon/active/{id}/cancel', undefined, active[0]?.id ?? '');
  await tell('GET /api/subscription/usage');
  const larger = { plan_id: growth };
  await tell('POST /api/subscription/preview-change', larger);
  const { invoice } = await tell<{ invoice: Invoice }>('POST /api/subscription/change', larger);
  await payFor(story, invoice);
  await ask('POST /api/subscription/change', { plan_id: starter });
  await tell('GET /api/subscription');
  await tell('POST /api/subscription/cancel', { reason: 'Toko tutup' });
  await tell('POST /api/subscription/resume');
  await tell('GET /api/subscription/invoices', { status: 'paid' });
  await tell('GET /api/subscription/invoices/{id}', undefined, invoice.id);
};
