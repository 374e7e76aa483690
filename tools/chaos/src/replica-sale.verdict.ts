import type { Database } from '@platform/data';
import { verdictOf } from './money/verdict';
import { STORE } from './money/stack';
import { heardFindings } from './replica-merchant';
import { playSale, shownOf, type Sale, type Sold } from './replica-sale';
import type { SalePlan } from './replica-plan';
import type { ReplicaStack } from './replica-stack';
import type { Beside } from './replica-traffic';
import type { Findings } from './verdict';

/** Contacts of the run, beside what chat-backend has of them: $1 store, $2 numbers. */
const CONTACTS = `
  SELECT n.phone, count(c.id)::int AS contacts, max(c.orders_count)::int AS orders, max(c.spent)::float8 AS spent,
    max(k.total_order)::int AS "ordersThere", max(k.total_belanja)::float8 AS "spentThere", bool_and(k.contact_id = c.id::text) AS same
  FROM unnest($2::text[]) n (phone)
    LEFT JOIN commerce_api.contact_phone p ON p.store_id = $1 AND p.phone = n.phone
    LEFT JOIN commerce_api.contact c ON c.store_id = p.store_id AND c.id = p.contact_id
    LEFT JOIN chat_backend.customers k ON k.store_id = $1 AND k.nohp = n.phone
  GROUP BY n.phone ORDER BY n.phone`;

/** Orders of the run whose copy at chat-backend says something else: $1 store, $2 since when. */
const COPIES = `
  SELECT o.number, o.payment_status AS here, k.payment_status AS there
  FROM commerce_api.sales_order o LEFT JOIN chat_backend.chat_orders k ON k.store_id = o.store_id AND k.order_number = o.number
  WHERE o.store_id = $1 AND o.created_at >= $2 AND (k.id IS NULL OR k.payment_status IS DISTINCT FROM o.payment_status OR k.total <> o.total)
  ORDER BY o.number`;

const UNSENT = `SELECT kind, count(*)::int AS n FROM commerce_api.sync_pending WHERE store_id = $1 AND sent_at IS NULL GROUP BY kind ORDER BY kind`;

/** Jobs that nobody does any more, and such as somebody should have done by now. */
const JOBS = `
  SELECT t.identifier AS task, j.last_error AS error, j.attempts >= j.max_attempts AS dead
  FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
  WHERE j.attempts >= j.max_attempts OR j.locked_at < now() - interval '2 minutes' ORDER BY j.id LIMIT 5`;

/** Orders of one buyer: each has placed one. */
const PLACED = `
  SELECT buyer->>'phone' AS phone, count(*)::int AS n FROM commerce_api.sales_order
  WHERE store_id = $1 AND created_at >= $2 GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`;

export interface ContactRow {
  readonly phone: string;
  readonly contacts: number;
  readonly orders: number;
  readonly spent: number;
  readonly ordersThere: number | null;
  readonly spentThere: number | null;
  readonly same: boolean | null;
}

/** What a phone shows of an order: that it was placed, and once it is paid, that it is. */
export const toldFindings = ({ number, paid, shownBefore, by }: Sold, shown: readonly string[]): string[] => {
  const later = shown.length - shownBefore;
  // The bot may name an order in more than one bubble
  const isTold = by === 'bot' ? shownBefore > 0 : shownBefore === 1;
  return [
    ...(isTold ? [] : [`${number}: its ${by} was told ${shownBefore} times that it is placed`]),
    ...(later === Number(paid)
      ? []
      : [`${number}: its ${by} was told ${later} times that it is paid, which it is${paid ? '' : ' not'}`]),
  ];
};

/** Whether chat-backend has of a buyer what commerce-api has. */
export const contactFindings = ({ phone, contacts, ...row }: ContactRow): string[] => {
  if (contacts !== 1) return [`${phone} is the number of ${contacts} contacts`];
  const { orders, spent, ordersThere, spentThere, same } = row;
  return same && orders === ordersThere && spent === spentThere
    ? []
    : [`contact ${phone}: ${orders} orders for ${spent}, at chat-backend ${ordersThere} for ${spentThere}`];
};

/** What is wrong with a sale: orders, money, ledger and stock, what buyers and the shop's program were told, and what chat-backend knows of them. */
export const saleVerdict = async (
  { counter, merchant }: Pick<ReplicaStack, 'counter' | 'merchant'>,
  { sold, since, unserved }: Sale,
): Promise<Findings> => {
  const { database } = counter;
  const shown = await Promise.all(sold.map(({ phone, number }) => shownOf(counter, phone, number)));
  return [
    ...unserved.map((phone) => `the bot has sold nothing to ${phone}`),
    ...(await verdictOf(counter, sold, since)),
    ...sold.flatMap((one, n) => toldFindings(one, shown[n] ?? [])),
    ...sold.flatMap((one) => heardFindings(merchant.news, one)),
    ...(await stateFindings(database, sold, since)),
  ];
};

const stateFindings = async (database: Database, sold: readonly Sold[], since: Date): Promise<string[]> => {
  const contacts = await database.query<ContactRow>(CONTACTS, [STORE, sold.map(({ phone }) => phone)]);
  const copies = await database.query<{ number: string; here: string; there: string | null }>(COPIES, [STORE, since]);
  const unsent = await database.query<{ kind: string; n: number }>(UNSENT, [STORE]);
  const jobs = await database.query<{ task: string; error: string | null; dead: boolean }>(JOBS);
  const placed = await database.query<{ phone: string; n: number }>(PLACED, [STORE, since]);
  return [
    ...placed.map(({ phone, n }) => `${phone} has placed one order, and there are ${n}`),
    ...contacts.flatMap(contactFindings),
    ...copies.map(({ number, here, there }) => `${number} is ${here}, at chat-backend ${there ?? 'not there'}`),
    ...unsent.map(({ kind, n }) => `${n} ${kind} have not reached chat-backend`),
    ...jobs.map(({ task, error, dead }) => `${task} is ${dead ? 'dead' : 'locked for long'}: ${error ?? 'no error'}`),
  ];
};

const PROGRESS = `SELECT count(*)::int AS placed, count(*) FILTER (WHERE payment_status = 'paid')::int AS paid
  FROM commerce_api.sales_order WHERE store_id = $1 AND created_at >= $2`;

/** The sale of a run beside its messages. */
export const saleBeside = (stack: ReplicaStack, plan: SalePlan): Beside => {
  let began = new Date();
  let sale: Sale | undefined;
  return {
    play: async () => {
      began = new Date();
      sale = await playSale(stack, plan);
    },
    verdict: async () => (sale ? saleVerdict(stack, sale) : []),
    progress: async () => {
      const [row] = await stack.database.query<{ placed: number; paid: number }>(PROGRESS, [STORE, began]);
      return `${row?.placed} orders, ${row?.paid} of them paid`;
    },
  };
};
