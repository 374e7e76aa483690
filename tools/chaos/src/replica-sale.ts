import { setTimeout as pause } from 'node:timers/promises';
import { buy, buyersPhone, control, type Bought } from './money/buyers';
import { enable } from './money/money';
import { codes } from './money/plan';
import { STORE, type Counter } from './money/stack';
import { customerWrites } from './people';
import { randomFrom } from './plan';
import { OF_THE_BOT } from './replica-goods';
import { subscribe } from './replica-merchant';
import type { SalePlan } from './replica-plan';
import type { ReplicaStack } from './replica-stack';
import { person } from './run';

/** Dozens of buyers wait at a time, beside processes that start on the same cores. */
const POLL_MS = 1_000;
/** Within this time the bot has answered, or its customer says it again. */
const BOT_MS = 20_000;
/** Of the orders; the bot answers 60 requests a minute for a store (design 3.4), and most of them are other customers'. */
const BOTS_CUSTOMERS = 4;
/** An answer has several bubbles. */
const QUIET_MS = 1_500;
/** How often a customer of the bot begins anew, who was told that something cannot be done now. */
const TRIES = 6;

/** An order of the run, and what its buyer's phone showed of it before they paid. */
export interface Sold extends Omit<Bought, 'code'> {
  readonly by: 'buyer' | 'bot';
  readonly shownBefore: number;
}

export interface Sale {
  /** By the clock of the database. */
  readonly since: Date;
  readonly sold: readonly Sold[];
  /** Customers of the bot who have no order. */
  readonly unserved: readonly string[];
}

type Phones = Pick<Counter, 'database' | 'signal'>;

/** What a phone shows of an order, in its order. */
export const shownOf = async ({ database }: Pick<Phones, 'database'>, phone: string, number: string) => {
  const shown = `SELECT content->>'text' AS text FROM wa_gateway.sim_message
    WHERE direction = 'out' AND phone = $1 AND level >= 2 AND strpos(content->>'text', $2) > 0 ORDER BY seq`;
  return (await database.query<{ text: string }>(shown, [phone, number])).map(({ text }) => text);
};

/** Polls until there is an answer; undefined after so long. */
const soon = async <T>(
  { signal }: Pick<Phones, 'signal'>,
  ms: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (const end = Date.now() + ms; Date.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(POLL_MS, undefined, { signal });
  }
  return undefined;
};

/** Waits until the phone shows the order, or until patience ends; resolves to how often it does. */
const untilShown = async (stack: Phones, { number, phone }: Pick<Bought, 'number' | 'phone'>, seconds: number) =>
  (await soon(stack, seconds * 1_000, async () => (await shownOf(stack, phone, number)).length || undefined)) ?? 0;

const botsPhone = (n: number): string => `62814${String(n).padStart(8, '0')}`;

const ORDERED = `SELECT number, total::float8 AS total FROM commerce_api.sales_order
  WHERE store_id = $1 AND channel = 'bot' AND buyer->>'phone' = $2 ORDER BY created_at`;
const ANSWERS = `SELECT count(*)::int AS n FROM wa_gateway.sim_message WHERE direction = 'out' AND phone = $1 AND level >= 2`;

/** One customer of the bot. */
class BotsCustomer {
  private said = 0;

  constructor(
    private readonly stack: ReplicaStack,
    private readonly phone: string,
  ) {}

  /** Resolves to the order as soon as the phone shows it. */
  async order(): Promise<Pick<Bought, 'number' | 'total'> | undefined> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.says(`Halo kak, ${OF_THE_BOT.words} masih ada?`);
      await this.says('saya mau pesan 1 pcs, nama Budi, alamat Jl. Dago 1, kota Bandung');
      await this.says('ya');
      const order = await soon(this.stack, BOT_MS, () => this.ordered());
      if (order) return order;
    }
    return undefined;
  }

  private async ordered(): Promise<Pick<Bought, 'number' | 'total'> | undefined> {
    const rows = await this.stack.database.query<{ number: string; total: number }>(ORDERED, [STORE, this.phone]);
    for (const row of rows) if ((await shownOf(this.stack, this.phone, row.number)).length > 0) return row;
    return undefined;
  }

  private async answers(): Promise<number> {
    return (await this.stack.database.query<{ n: number }>(ANSWERS, [this.phone]))[0]?.n ?? 0;
  }

  /** Says it, and waits for the answer. The texts differ, because the network is asked by them whether it has one. */
  private async says(text: string): Promise<void> {
    const before = await this.answers();
    const words = { phone: this.phone, device: this.stack.shop.instance, text: `${text}${'.'.repeat(this.said++)}` };
    await customerWrites(this.stack, words);
    await soon(this.stack, BOT_MS, async () => ((await this.answers()) > before ? true : undefined));
    await pause(QUIET_MS, undefined, this.stack);
  }
}

/** Pays at whichever provider was asked. */
const payAnywhere = async (counter: Counter, number: string): Promise<void> => {
  for (;;) {
    for (const code of codes) {
      const found = counter.tills[code].till.payments().find(({ invoice }) => invoice.startsWith(`${number}-`));
      if (found) return control(counter, code, 'pay', { invoice: found.invoice });
    }
    await pause(POLL_MS, undefined, counter);
  }
};

const sellByBot = async (stack: ReplicaStack, phone: string): Promise<Sold | string> => {
  const order = await new BotsCustomer(stack, phone).order();
  if (!order) return phone;
  const shownBefore = (await shownOf(stack, phone, order.number)).length;
  await payAnywhere(stack.counter, order.number);
  return { ...order, phone, paid: true, by: 'bot', shownBefore };
};

const sellToBuyer = async (
  stack: ReplicaStack,
  plan: SalePlan,
  n: number,
  variants: readonly string[],
): Promise<Sold> => {
  let shownBefore = 0;
  const before = async (placed: Pick<Bought, 'number' | 'phone'>): Promise<void> => {
    shownBefore = await untilShown(stack, placed, plan.patienceSeconds);
  };
  const { code: _code, ...bought } = await buy(stack.counter, n, {
    variants,
    random: randomFrom(plan.seed + n),
    before,
  });
  return { ...bought, by: 'buyer', shownBefore };
};

/** The network tells of numbers that nobody has that they are none, and buyers write to nobody before the shop writes to them. */
const givePhones = async ({ database }: Pick<Phones, 'database'>, count: number): Promise<void> => {
  const give = `INSERT INTO wa_gateway.sim_phone (nohp, name) SELECT nohp, 'Pembeli' FROM unnest($1::text[]) nohp ON CONFLICT DO NOTHING`;
  await database.query(give, [Array.from({ length: count }, (_, n) => buyersPhone(n))]);
};

const variantsOf = async ({ database }: Pick<Phones, 'database'>): Promise<string[]> => {
  const goods = `SELECT id FROM commerce_api.variant WHERE store_id = $1 AND sku LIKE 'CHAOS-%' AND sku <> $2`;
  return (await database.query<{ id: string }>(goods, [STORE, OF_THE_BOT.sku])).map(({ id }) => id);
};

const sideOf = async (selling: readonly Promise<Sold | string>[]): Promise<Omit<Sale, 'since'>> => {
  const all = await Promise.all(selling);
  return {
    sold: all.filter((one): one is Sold => typeof one !== 'string'),
    unserved: all.filter((one): one is string => typeof one === 'string'),
  };
};

/**
 * Buyers place orders with the shop, are told of them, pay at the sandboxes of three providers, and are told of that; customers of the
 * bot do the same in a chat.
 */
export const playSale = async (stack: ReplicaStack, plan: SalePlan): Promise<Sale> => {
  await enable(stack.counter);
  await subscribe(stack.merchant, stack.counter);
  await givePhones(stack, plan.orders);
  const variants = await variantsOf(stack);
  const [{ now }] = (await stack.database.query<{ now: Date }>('SELECT now()')) as [{ now: Date }];
  const moment = { random: randomFrom(plan.seed + 3), signal: stack.signal };
  const selling: Promise<Sold | string>[] = [];
  const begin = async (one: Promise<Sold | string>): Promise<void> => {
    one.catch(() => undefined); // told below, with the others
    selling.push(one);
  };
  const bots = Math.min(BOTS_CUSTOMERS, plan.orders);
  await Promise.all([
    person(plan.orders - bots, plan, moment, (n) => begin(sellToBuyer(stack, plan, n, variants))),
    person(bots, plan, moment, (n) => begin(sellByBot(stack, botsPhone(n)))),
  ]);
  return { since: now, ...(await sideOf(selling)) };
};
