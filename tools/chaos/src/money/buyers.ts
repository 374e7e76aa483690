import { setTimeout as pause } from 'node:timers/promises';
import { codes, type Code } from './plan';
import type { Counter } from './stack';

const AGAIN_MS = 250;

/** What a buyer does at the provider's page. */
type Way = 'pays' | 'fails and pays' | 'pays, and the provider tells it again and again' | 'goes away';

const wayOf = (random: () => number): Way => {
  const dice = random();
  if (dice < 0.05) return 'goes away';
  if (dice < 0.15) return 'fails and pays';
  return dice < 0.25 ? 'pays, and the provider tells it again and again' : 'pays';
};

export interface Bought {
  readonly number: string;
  readonly phone: string;
  readonly total: number;
  readonly code: Code;
  readonly paid: boolean;
}

/** Has the sandbox of a provider do something with a payment. */
export const control = async (stack: Counter, code: Code, verb: string, body: object): Promise<void> => {
  const answer = await fetch(`${stack.tills[code].url}/__sandbox/${verb}`, {
    ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
  });
  if (!answer.ok) throw new Error(`${verb} at the sandbox of ${code}: ${answer.status} ${await answer.text()}`);
};

/** The payment that the provider was asked for, as soon as it was: after a kill a job asks. */
const paymentAt = async (stack: Counter, code: Code, number: string): Promise<string> => {
  for (;;) {
    const found = stack.tills[code].till.payments().find(({ invoice }) => invoice.startsWith(`${number}-`));
    if (found) return found.invoice;
    await pause(AGAIN_MS, undefined, stack);
  }
};

/** Places with one key until there is an answer: whatever died meanwhile, it is one order. */
const place = async (stack: Counter, key: string, body: object): Promise<{ number: string; total: number }> => {
  for (;;) {
    const answer = await fetch(`${stack.commerce.url}/api/order`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Authorization: `Bearer ${stack.token}` },
      body: JSON.stringify(body),
      signal: AbortSignal.any([stack.signal, AbortSignal.timeout(20_000)]),
    }).catch(() => undefined);
    stack.signal.throwIfAborted();
    if (answer?.status === 201) return ((await answer.json()) as { data: { number: string; total: number } }).data;
    if (answer && answer.status < 500 && answer.status !== 409 && answer.status !== 429)
      throw new Error(`An order was refused with ${answer.status}: ${await answer.text()}`);
    await pause(AGAIN_MS, undefined, stack);
  }
};

const doAt = async (stack: Counter, code: Code, invoice: string, way: Way): Promise<void> => {
  if (way === 'goes away') return;
  if (way === 'fails and pays') await control(stack, code, 'fail', { invoice });
  await control(stack, code, 'pay', { invoice });
  if (way === 'pays, and the provider tells it again and again')
    await control(stack, code, 'duplicate', { invoice, times: 3 });
};

/** The number of the n-th buyer. */
export const buyersPhone = (n: number): string => `62813${String(n).padStart(8, '0')}`;

interface Buying {
  readonly variants: readonly string[];
  readonly random: () => number;
  /** What the buyer waits for between the order and its payment. */
  readonly before?: (placed: Pick<Bought, 'number' | 'phone'>) => Promise<void>;
}

/** The n-th buyer places an order and pays it, or not. */
export const buy = async (stack: Counter, n: number, { variants, random, before }: Buying): Promise<Bought> => {
  const code = codes[n % codes.length] ?? 'a';
  const pick = (): string => variants[Math.floor(random() * variants.length)] ?? '';
  const wanted = [...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, pick))];
  const items = wanted.map((variant_id) => ({ variant_id, qty: 1 + Math.floor(random() * 3) }));
  const contact = {
    name: `Pembeli ${n}`,
    phone: buyersPhone(n),
    email: `pembeli${n}@shop.example`,
  };
  const way = wayOf(random);
  const { number, total } = await place(stack, `chaos-${n}`, { contact, items, payment_method: code });
  const { phone } = contact;
  await before?.({ number, phone });
  await doAt(stack, code, await paymentAt(stack, code, number), way);
  return { number, phone, total, code, paid: way !== 'goes away' };
};
