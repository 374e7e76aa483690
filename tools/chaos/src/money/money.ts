import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../plan';
import { person } from '../run';
import type { Findings } from '../verdict';
import { buy, type Bought } from './buyers';
import { codes, type MoneyPlan } from './plan';
import { startMoneyStack, STORE, type Counter, type MoneyStack } from './stack';
import { paidSoFar, verdictOf } from './verdict';

type Say = (text: string) => void;

const LOOK_MS = 2_000;
const AWAY_MS = 1_000;

/** Kills commerce-api and PostgreSQL in turn, each time at another moment of what they do. */
const torment = async (stack: MoneyStack, { kills, seconds, seed }: MoneyPlan, say: Say): Promise<void> => {
  const random = randomFrom(seed + 2);
  const begun = Date.now();
  for (let kill = 0; kill < kills * 2; kill++) {
    const due = begun + ((kill + random()) / (kills * 2)) * seconds * 1000;
    await pause(Math.max(0, due - Date.now()), undefined, stack);
    const victim = kill % 2 === 0 ? stack.commerce : stack.postgres;
    await victim.kill();
    await pause(random() * AWAY_MS, undefined, stack);
    if (victim === stack.postgres) await stack.postgres.start(stack.signal);
    else await stack.commerce.start();
    say(`${victim === stack.postgres ? 'PostgreSQL' : 'commerce-api'} was killed, and is back`);
  }
};

/** Has the shop take payments by all three providers. */
export const enable = async ({ commerce, token }: Counter): Promise<void> => {
  for (const code of codes) {
    const answer = await fetch(`${commerce.url}/api/payment/methods/${code}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ enabled: true }),
    });
    if (!answer.ok) throw new Error(`Method ${code} cannot be switched on: ${answer.status} ${await answer.text()}`);
  }
};

const settled = async (stack: MoneyStack, expected: number, { patienceSeconds }: MoneyPlan): Promise<void> => {
  const end = Date.now() + patienceSeconds * 1000;
  while (Date.now() < end && (await paidSoFar(stack)) !== expected) await pause(LOOK_MS / 4, undefined, stack);
};

const rampage = async (stack: MoneyStack, plan: MoneyPlan, say: Say): Promise<Findings> => {
  await enable(stack);
  const rows = await stack.database.query<{ id: string }>('SELECT id FROM commerce_api.variant WHERE store_id = $1', [
    STORE,
  ]);
  const random = randomFrom(plan.seed);
  const buying: Promise<Bought>[] = [];
  const failed = new AbortController();
  const watch = setInterval(() => {
    const placed = buying.length;
    void paidSoFar(stack).then((paid) => paid !== undefined && say(`${placed} orders, ${paid} of them paid`));
  }, LOOK_MS);
  try {
    const variants = rows.map(({ id }) => id);
    await Promise.all([
      torment(stack, plan, say),
      person(plan.orders, plan, { random, signal: stack.signal }, async (n) => {
        const one = buy(stack, n, { variants, random });
        one.catch((cause: unknown) => failed.abort(cause));
        buying.push(one);
        failed.signal.throwIfAborted();
      }),
    ]);
    const bought = await Promise.all(buying);
    say('all orders are placed, what buyers pay is paid, and all kills are done');
    await settled(stack, bought.filter(({ paid }) => paid).length, plan);
    return await verdictOf(stack, bought);
  } finally {
    clearInterval(watch);
  }
};

/**
 * Buyers place orders and pay them at the sandboxes of three providers, while commerce-api and PostgreSQL are killed with kill -9. Resolves
 * with where money, ledger, orders and stock do not agree; rejects when `signal` aborts it.
 */
export const runMoney = async (plan: MoneyPlan, say: Say, signal: AbortSignal): Promise<Findings> => {
  const begun = Date.now();
  const stack = await startMoneyStack(signal);
  try {
    return await rampage(stack, plan, (text) =>
      say(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`),
    );
  } finally {
    await stack.stop();
  }
};
