import { silentLogger } from '@platform/runtime';
import { askOf, type Answered, type Ask } from '../../asked.fixture';
import { newStore, type Commerce } from '../../commerce.fixture';
import { jobQueue } from '../../jobs';
import { balancesOf, post } from '../ledger/postings/public';
import type { Invoice } from './invoices/public';
import type { Addon } from './addons/public';
import type { Plan } from './plans/public';
import { Renewals } from './subscriptions/renewals';
import type { PlanChange, Subscription } from './subscriptions/subscriptions.dto';

const DAY_MS = 86_400_000;

export interface BilledStore {
  readonly storeId: string;
  readonly ask: Ask;
  /** Puts money into the wallet. */
  fund(amount: number): Promise<void>;
  /** What the wallet holds. */
  wallet(): Promise<number>;
  /** Writes the bill of a plan. */
  bill(code: string, period?: string, more?: object): Promise<Invoice>;
  pay(invoice: Invoice): Promise<Answered<Invoice>>;
  /** Has a plan that is paid, and a wallet as empty as before. */
  subscribed(code: string, period?: string, more?: object): Promise<Subscription>;
  change(code: string, period?: string): Promise<Answered<PlanChange>>;
  subscription(): Promise<Subscription>;
  /** What is allowed of each metric that is counted here; what the bot answers is counted by its engine. */
  allowed(): Promise<Record<string, number>>;
}

const idIn = (rows: readonly { readonly id: string; readonly code: string }[], code: string): string =>
  rows.find((row) => row.code === code)?.id ?? 'none';

export const planIdOf = async (commerce: Commerce, code: string): Promise<string> =>
  idIn(await commerce.database.query<Plan>('SELECT id, code FROM plan', []), code);
export const addonIdOf = async (commerce: Commerce, code: string): Promise<string> =>
  idIn(await commerce.database.query<Addon>('SELECT id, code FROM addon', []), code);

let funded = 0;

/** Money that came to the platform for a store. */
export const fund = async ({ database, clock }: Commerce, storeId: string, amount: number): Promise<void> => {
  const key = `test:${(funded += 1)}`;
  const by = { storeId, actor: 'test', at: clock.now() };
  await database.tx((tx) =>
    post(tx, by, {
      ...{ key, kind: 'topup', ref: key, currency: 'IDR' },
      entries: [
        { account: 'gateway_clearing', side: 'D', amount },
        { account: 'wallet_available', side: 'C', amount },
      ],
    }),
  );
};

/** A new store, and what its owner does about its plan. */
export const billedStore = async (commerce: Commerce): Promise<BilledStore> => {
  const storeId = await newStore(commerce);
  const askNow = askOf(commerce);
  const ask: Ask = (method, path, body) => askNow(storeId)(method, path, body);
  const pay = (invoice: Invoice) =>
    ask<Invoice>('POST', `/subscription/invoices/${invoice.id}/pay`, { method: 'wallet' });
  const bill = async (code: string, period = 'monthly', more: object = {}): Promise<Invoice> => {
    const choice = { plan_id: await planIdOf(commerce, code), period, ...more };
    return (await ask<Invoice>('POST', '/subscription', choice)).body.data;
  };
  const subscription = async (): Promise<Subscription> => (await ask<Subscription>('GET', '/subscription')).body.data;
  return {
    ...{ storeId, ask, bill, pay, subscription },
    fund: (amount) => fund(commerce, storeId, amount),
    wallet: async () => (await balancesOf(commerce.database, storeId, 'IDR')).wallet_available,
    subscribed: async (code, period, more) => {
      const invoice = await bill(code, period, more);
      await fund(commerce, storeId, invoice.amount);
      await pay(invoice);
      return subscription();
    },
    change: async (code, period) =>
      ask('POST', '/subscription/change', { plan_id: await planIdOf(commerce, code), period }),
    allowed: async () => {
      const uses = (await ask<{ metric: string; limit: number }[]>('GET', '/subscription/usage')).body.data;
      const counted = uses.filter(({ metric }) => metric !== 'ai_replies');
      return Object.fromEntries(counted.map(({ metric, limit }) => [metric, limit]));
    },
  };
};

/** Lets the clock stand at a moment, which may lie before. */
export const standAt = ({ clock }: Commerce, at: string | Date): void =>
  void clock.advance(new Date(at).getTime() - clock.now().getTime());

export const passDays = ({ clock }: Commerce, days: number): void => void clock.advance(days * DAY_MS);

/** What the job does at this moment. */
export const renewNow = ({ database, clock }: Commerce): Promise<number> =>
  new Renewals({ database: database as never, clock, logger: silentLogger, queue: jobQueue() }).run();
