import { given, LANGUAGE, moneyIn, placeLines } from '../pdf/public';
import type { OrderInvoice } from './invoice.dto';
import { invoiceWords } from './invoice.words';

/** A fact with its name. */
export type Named = readonly [name: string, value: string];

/** An invoice as texts: what its page and its PDF both show. */
export interface Paper {
  readonly locale: string;
  readonly title: string;
  /** Such as PAID; empty while it waits for its payment. */
  readonly mark: string;
  readonly store: string;
  readonly storeLines: readonly string[];
  readonly facts: readonly Named[];
  readonly buyer: { readonly title: string; readonly lines: readonly string[] };
  /** The first is the item, the others are aligned to the right. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly sums: readonly Named[];
  readonly total: Named;
  readonly afterwards: readonly Named[];
  readonly accounts: { readonly title: string; readonly lines: readonly string[] };
  /** `Page`, before its number. */
  readonly page: string;
}

const timeOf = ({ locale, timezone: timeZone }: OrderInvoice) => {
  const format = new Intl.DateTimeFormat(LANGUAGE[locale], { dateStyle: 'long', timeStyle: 'short', timeZone });
  return (instant: string): string => format.format(new Date(instant));
};

const percent = ({ locale }: OrderInvoice, rateBp: number): string =>
  new Intl.NumberFormat(LANGUAGE[locale], { maximumFractionDigits: 2 }).format(rateBp / 100);

/** Named amounts without those that are 0. */
const amounts = (money: (amount: number) => string, all: readonly (readonly [string, number])[]): Named[] =>
  all.filter(([, amount]) => amount !== 0).map(([name, amount]) => [name, money(amount)]);

const markOf = ({ status, payment_status, due, paid_total }: OrderInvoice, words: (typeof invoiceWords)['id']) => {
  if (status === 'cancelled') return words.cancelled;
  return payment_status === 'paid' || (due === 0 && paid_total > 0) ? words.settled : '';
};

/** What a paper is written with. */
interface Pen {
  readonly words: (typeof invoiceWords)['id'];
  readonly money: (amount: number) => string;
  readonly time: (instant: string) => string;
}

const penOf = (invoice: OrderInvoice): Pen => ({
  words: invoiceWords[invoice.locale],
  money: moneyIn(invoice.locale, invoice.currency),
  time: timeOf(invoice),
});

const optional = <T>(isThere: boolean, value: T): T[] => (isThere ? [value] : []);

const storeLines = ({ store: { address, phone, npwp } }: OrderInvoice, { words }: Pen): string[] =>
  given([...placeLines(address), phone && `+${phone}`, npwp && `${words.npwp} ${npwp}`]);

/** The number of its receipt, while all its money is there: an order keeps the number also when the payment was taken back. */
const receiptOf = ({ receipt_no, paid_total, total }: OrderInvoice): string | null =>
  paid_total >= total ? receipt_no : null;

const factsOf = (invoice: OrderInvoice, { words, time }: Pen): Named[] => {
  const { number, placed_at, paid_at } = invoice;
  const receipt = receiptOf(invoice);
  return [
    [words.number, number],
    ...(receipt === null ? [] : [[words.receiptNumber, receipt] as const]),
    [words.placed, time(placed_at)],
    ...(paid_at === null ? [] : [[words.paid, time(paid_at)] as const]),
  ];
};

/** Discount and tax have a column where a line has some. */
const goodsOf = ({ lines }: OrderInvoice, { words, money }: Pen): Pick<Paper, 'columns' | 'rows'> => {
  const hasTax = lines.some((line) => line.tax > 0);
  const hasDiscount = lines.some((line) => line.discount_share > 0);
  const shares = [...optional(hasDiscount, words.discount), ...optional(hasTax, words.tax)];
  return {
    columns: [words.item, words.qty, words.price, ...shares, words.amount],
    rows: lines.map((line) => [
      ...[`${line.name}\n${line.sku}`, String(line.qty), money(line.price)],
      ...optional(hasDiscount, money(-line.discount_share)),
      ...optional(hasTax, money(line.tax)),
      money(line.total),
    ]),
  };
};

const sumsOf = (invoice: OrderInvoice, { words, money }: Pen): Named[] => {
  const { tax, coupon } = invoice;
  const rate = tax ? ` ${percent(invoice, tax.rate_bp)}%` : '';
  const taxName = `${tax?.mode === 'added' ? words.taxAdded : words.taxIncluded}${rate}`;
  return amounts(money, [
    [words.subtotal, invoice.subtotal],
    [coupon?.code ? `${words.discount} (${coupon.code})` : words.discount, -invoice.discount],
    [words.shipping, invoice.shipping_total],
    [words.fee, invoice.fee],
    [taxName, invoice.tax_total],
  ]);
};

/** The texts of an invoice, in the language and on the clocks of its store. */
export const paperOf = (invoice: OrderInvoice): Paper => {
  const pen = penOf(invoice);
  const { words, money } = pen;
  const { store, buyer, total, paid_total, due } = invoice;
  return {
    locale: invoice.locale,
    title: receiptOf(invoice) === null ? words.invoice : words.receipt,
    mark: markOf(invoice, words),
    ...{ store: store.name, storeLines: storeLines(invoice, pen), facts: factsOf(invoice, pen) },
    buyer: {
      title: words.buyer,
      lines: given([buyer.name, `+${buyer.phone}`, buyer.email, ...placeLines(invoice.address)]),
    },
    ...goodsOf(invoice, pen),
    sums: sumsOf(invoice, pen),
    total: [words.total, money(total)],
    afterwards: amounts(money, [
      [words.paidTotal, paid_total],
      [words.due, due],
    ]),
    accounts: {
      title: words.transferTo,
      lines: invoice.accounts.map(({ bank, number, holder }) => `${bank} ${number} (${holder})`),
    },
    page: words.page,
  };
};
