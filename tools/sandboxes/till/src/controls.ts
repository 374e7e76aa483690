import type { Faults } from './faults';
import { numberAt, textAt } from './json';
import type { Till } from './till';
import { ControlError, type Json, type NoticeRow, type Provider } from './till.types';

export interface Controlled {
  readonly till: Till;
  readonly faults: Faults;
  readonly provider: Provider;
}

const actOf = (body: Json) => ({ amount: numberAt(body, 'amount'), channel: textAt(body, 'channel') });

const damageOf = ({ kind = 'body' }: Json): NoticeRow['damage'] => {
  if (kind === 'body' || kind === 'signature') return kind;
  throw new ControlError('kind is body or signature');
};

const duplicate = (till: Till, body: Json): NoticeRow[] => {
  const { id } = till.named(body);
  const last = till.sender.rows.findLast(({ about, damage }) => about === id && damage === undefined);
  if (!last) throw new ControlError('no notice of it was sent yet');
  const { type, body: text, about, account, url } = last;
  const copies = Array.from({ length: numberAt(body, 'times') ?? 1 });
  return copies.map(() => till.sender.send({ type, body: text, about, account, url }));
};

type Order = (controlled: Controlled, body: Json) => unknown;

const ORDERS: Readonly<Record<string, Order>> = {
  pay: ({ till }, body) => till.pay(till.named(body), actOf(body)),
  fail: ({ till }, body) => till.fail(till.named(body)),
  expire: ({ till }, body) => till.expire(till.named(body)),
  duplicate: ({ till }, body) => duplicate(till, body),
  reorder: ({ till }, body) => {
    till.sender.reorder(numberAt(body, 'count') ?? 2);
    return {};
  },
  tamper: ({ till }, body) => till.tell(till.named(body), damageOf(body)) ?? {},
  delay: ({ faults }, body) => {
    faults.setDelay(body);
    return {};
  },
  down: ({ faults }, body) => {
    faults.setDown(body);
    return {};
  },
};

const LISTS: Readonly<Record<string, (till: Till) => unknown>> = {
  payments: (till) => till.payments(),
  notices: (till) => till.sender.rows,
};

/** Executes an order of a developer or a test; undefined: there is no such one. Throws `ControlError`. */
export const controlled = (all: Controlled, method: string, verb: string, body: Json): unknown => {
  if (method === 'GET') return Object.hasOwn(LISTS, verb) ? LISTS[verb]?.(all.till) : undefined;
  if (method !== 'POST') return undefined;
  const own = all.provider.control?.(verb, body);
  if (own !== undefined) return own;
  return Object.hasOwn(ORDERS, verb) ? ORDERS[verb]?.(all, body) : undefined;
};
