import type { ConversationFacts, KnownProduct, ToolOutcome } from './tool.types';

const MOST = { products: 20, orders: 10, amounts: 200, urls: 50 } as const;

/** Members of results that hold money; everything else that is a number is a count, a weight or an id. */
const MONEY = /^(price|total|subtotal|shipping|discount|fee|cost|amount|rate)$/i;
const ADDRESS = /^https?:\/\/\S+$/i;
const ADDRESSES = /https?:\/\/[^\s<>"')\]]+/gi;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Found {
  readonly amounts: number[];
  readonly urls: string[];
  readonly products: KnownProduct[];
}

const productIn = (row: Json): KnownProduct[] =>
  typeof row.sku === 'string' && typeof row.name === 'string'
    ? [
        {
          sku: row.sku,
          name: row.name,
          price: typeof row.price === 'number' ? row.price : null,
          ...(typeof row.image === 'string' ? { image: row.image } : {}),
        },
      ]
    : [];

const collect = (value: unknown, found: Found): void => {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, found));
  if (!isObject(value)) return;
  found.products.push(...productIn(value));
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number' && Number.isFinite(member) && MONEY.test(name)) found.amounts.push(member);
    if (typeof member === 'string' && ADDRESS.test(member)) found.urls.push(member);
    collect(member, found);
  }
};

/** The last `most` different ones, the newest last. */
const newest = <T>(items: readonly T[], most: number, key: (item: T) => unknown = (item) => item): T[] => {
  const last = new Map<unknown, T>();
  for (const item of items) {
    last.delete(key(item));
    last.set(key(item), item);
  }
  return [...last.values()].slice(-most);
};

/** The texts in a value, in their order, a line for each: written as JSON a line would begin with the letter of its `\n`. */
export const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textIn).filter(Boolean).join('\n');
};

/** What a result as the model got it tells: amounts and addresses that an answer may repeat, products that it may name. */
export const factsIn = (content: string, { prose = false }: { prose?: boolean } = {}): Found => {
  const found: Found = { amounts: [], urls: [], products: [] };
  const result = JSON.parse(content) as unknown;
  collect(result, found);
  // Best hit first in a result; the newest comes last in the facts
  found.products.reverse();
  if (prose) found.urls.push(...(textIn(result).match(ADDRESSES) ?? []));
  return found;
};

/** What is known of a product already stays known where a result does not say it: a stock has neither price nor picture. */
const completed = (known: readonly KnownProduct[], told: readonly KnownProduct[]): KnownProduct[] => {
  const before = new Map(known.map((product) => [product.sku, product]));
  return told.map((product) => {
    const { price = null, image } = before.get(product.sku) ?? {};
    const whole = { ...(image !== undefined && { image }), ...product, price: product.price ?? price };
    before.set(whole.sku, whole);
    return whole;
  });
};

/** What products cost before, by results that tell another price now: true no more. */
const pastPrices = (known: readonly KnownProduct[], told: readonly KnownProduct[]): ReadonlySet<number> => {
  const now = new Map(told.flatMap(({ sku, price }) => (price === null ? [] : [[sku, price]])));
  const past = known.flatMap(({ sku, price }) => (price === null || (now.get(sku) ?? price) === price ? [] : [price]));
  return new Set(past);
};

/** The facts with those of one more result. */
export const withFacts = (
  known: ConversationFacts,
  found: Found,
  told: ToolOutcome['facts'] = {},
): ConversationFacts => {
  const past = pastPrices(known.products, found.products);
  return {
    products: newest(
      [...known.products, ...completed(known.products, [...found.products, ...(told.products ?? [])])],
      MOST.products,
      ({ sku }) => sku,
    ),
    orders: newest([...known.orders, ...(told.orders ?? [])], MOST.orders),
    amounts: newest([...known.amounts.filter((amount) => !past.has(amount)), ...found.amounts], MOST.amounts),
    urls: newest([...known.urls, ...found.urls], MOST.urls),
    ...('quote' in told ? { quote: told.quote } : known.quote ? { quote: known.quote } : {}),
  };
};

const MAX_LISTS = 500;

/** As many as fit, the newest first. */
const fitting = (items: readonly string[], most: number): string[] => {
  let left = most;
  return [...items].reverse().filter((item) => (left -= item.length + 3) >= 0);
};

/**
 * The line of the system message that tells what the tools found so far, the newest first; never written by the model. The open
 * quote is whole whatever its length, which its arguments' limits bound: shortened it could not be confirmed.
 */
export const factsLine = ({ products, orders, quote }: ConversationFacts): string => {
  const orderNumbers = fitting(orders, MAX_LISTS / 2);
  const skus = fitting(
    products.map(({ sku }) => sku),
    MAX_LISTS - JSON.stringify(orderNumbers).length,
  );
  const open = quote && JSON.stringify({ ...quote.args, confirmToken: quote.confirmToken });
  const lists = `"skus":${JSON.stringify(skus)},"orders":${JSON.stringify(orderNumbers)}`;
  return `conversation facts: {${lists}${open ? `,"quote":${open}` : ''}}`;
};

/** The same for the person who takes over: nobody is to ask the customer again. */
export const factsForPeople = ({ products, orders, quote }: ConversationFacts): string =>
  [
    products.length > 0 &&
      `produk ${fitting(
        products.map(({ sku }) => sku),
        200,
      ).join(', ')}`,
    orders.length > 0 && `pesanan ${fitting(orders, 150).join(', ')}`,
    quote && `penawaran ${JSON.stringify(quote.args)}`,
  ]
    .filter(Boolean)
    .join('; ');
