import type { Store } from '../stores/public';
import type { ConversationFacts } from '../tools/public';
import { toldAddresses, toldOrders } from './foreign.guard';
import { amountsIn, type Amount } from './money.amounts';
import { isScale, isUnit } from './number.words';
import { plainText, readingOf } from './plain.reading';
import { once, segmentAt, segmentsOf, without, type Span } from './segments';

/** Whether a sentence is about a product of the store's catalogue; `loosely`: one word of its name is enough. */
export type NamesProduct = (storeId: string, sentence: string, loosely: boolean) => Promise<boolean>;

/** What has been said and told to the model, by whom it comes from. */
export interface Sources {
  readonly facts: ConversationFacts;
  readonly prompt: string;
  readonly policy: readonly string[];
  /** Lines of the bot and of people of the shop. */
  readonly told: readonly string[];
  /** Lines of the customer. */
  readonly said: readonly string[];
  readonly store: Store;
}

const PRICE = /\b(?:harga|hrg|seharga|dijual|dibanderol|diskon|discount|price|priced|prices|costs?)(?:nya)?\b/u;
/** Says what goods cost: that is for the catalogue to say, whoever wrote it. */
const PRICE_OF_GOODS = /\b(?:harga|hrg|seharga|dijual|dibanderol|price|priced|prices)(?:nya)?\b/u;
/** What a customer wants to spend may be repeated; nothing else that they say about money. */
const BUDGET =
  /\b(?:budget|bujet|anggaran|dana|kisaran|sekitar|maksimal|minimal|max|min|di ?bawah|di ?atas|kurang dari|lebih dari|under|below|above|around|up to)(?:nya)?\b/u;
/** Words that are about nothing in particular: a sentence of them speaks of what was named before. */
const GENERIC = new Set(
  (
    'sekarang kini cuma hanya jadi menjadi adalah saja aja semua seluruh setiap produk barang ini itu untuk buat kak kakak kami kita ' +
    'anda kamu betul benar baik siap oke iya yang dari dengan mulai sudah masih akan bisa ada spesial khusus promo hari besok rupiah ' +
    'now only just all every everything product products item items this that the for and are was were our new today special yes sure ' +
    'okay right correct total bayar dibayar pay tinggal murah termurah turun naik berubah diubah update terbaru baru lagi juga ' +
    'saya aku cukup boleh kena jadinya ambil beli lepas kasih beri dapat dapet deal silakan transfer tagihan nominal setelah diskon ' +
    'potongan per pasang pcs you can get give take buy have need will with pair only'
  ).split(' '),
);

const wordsOf = (text: string): string[] =>
  (plainText(text).match(/[\p{L}\d]{3,}/gu) ?? []).map((word) => word.replace(/nya$/, ''));

/** Names a product: its SKU, or two words of its name (all of a shorter one); with `loosely` one. */
export const namesOne = (sentence: string, product: { sku: string; name: string }, loosely: boolean): boolean => {
  const said = new Set(wordsOf(sentence));
  const plain = plainText(sentence);
  if (product.sku.length > 2 && plain.includes(plainText(product.sku))) return true;
  const name = [...new Set(wordsOf(product.name))].filter((word) => !GENERIC.has(word));
  const needed = Math.min(loosely ? 1 : 2, name.length);
  return needed > 0 && name.filter((word) => said.has(word)).length >= needed;
};

/** Whether a sentence says what it is about. */
const hasSubject = (sentence: string): boolean =>
  wordsOf(sentence).some(
    (word) => /^\p{L}+$/u.test(word) && !GENERIC.has(word) && !isUnit(word) && !isScale(word) && !PRICE.test(word),
  );

const valuesIn = (texts: readonly string[]): ReadonlySet<number> =>
  new Set(texts.flatMap(amountsIn).flatMap(({ values }) => values));

/** Without the sentences that say what goods cost, also where the line before began to. */
const withoutPrices = (texts: readonly string[]): string[] =>
  texts.map((text) => {
    const segments = segmentsOf(text, amountsIn(text));
    const plain = segments.map(({ start, end }) => plainText(text.slice(start, end)));
    const says = (n: number): boolean => PRICE_OF_GOODS.test(plain[n] ?? '');
    const isLine = (n: number): boolean => /[^.!?…\s]\s*\n\s*$/.test(plain[n] ?? '');
    return without(
      text,
      segments.filter((_, n) => says(n) || (isLine(n - 1) && says(n - 1))),
    );
  });

const holds = (known: ReadonlySet<number>, { values }: Amount): boolean => values.some((value) => known.has(value));

/** Where names of products stand: numbers in them are no amounts, unless a currency says so. */
const namesIn = (text: string, { products }: ConversationFacts): Span[] => {
  const { text: plain, at } = readingOf(text);
  const wanted = products.map(({ name }) => plainText(name).trim()).filter(({ length }) => length > 2);
  return [...new Set(wanted)].flatMap((name) => {
    const parts = plain.split(name).slice(0, -1);
    let end = 0;
    return parts.map((before) => {
      const start = end + before.length;
      end = start + name.length;
      return { start: at[start] ?? 0, end: (at[end - 1] ?? 0) + 1 };
    });
  });
};

/** As tools tell when an order expires: the fraction of a second reads like thousands. */
const INSTANT = /(?<![\p{L}\d])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)(?![\p{L}\d])/gu;
const instantsIn = (text: string): Span[] =>
  [...text.matchAll(INSTANT)].map(({ 0: { length }, index }) => ({ start: index, end: index + length }));

const isForeign = ({ currency }: Amount, { currency: own }: Store): boolean =>
  currency !== undefined && currency !== own && !(currency === '$' && /D$/.test(own));

/** A sentence of an answer, read once however many amounts it holds. */
const sentenceOf = (words: string, { facts, store }: Sources, namesProduct: NamesProduct) => {
  const plain = once(() => plainText(words));
  return {
    /** It may repeat what texts say: it calls nothing a price, and says what it is about. */
    mayRepeat: once(() => !PRICE_OF_GOODS.test(plain()) && hasSubject(words)),
    isBudget: once(() => BUDGET.test(plain())),
    namesProduct: once(async () => {
      const loosely = PRICE.test(plain());
      if (facts.products.some((product) => namesOne(words, product, loosely))) return true;
      return namesProduct(store.id, words, loosely);
    }),
  };
};

type Sentence = ReturnType<typeof sentenceOf>;

/**
 * Whether the shop, or the customer of what they want to spend, has said the amount where the sentence may repeat it. Their texts
 * are long: each is read once, and only when it is needed.
 */
const saidIn = ({ prompt, policy, told, said, store }: Sources) => {
  const shop = Object.values(store.facts).filter((one): one is string => typeof one === 'string');
  const ofOwner = once(() => valuesIn([prompt, ...shop]));
  const ofShop = once(() => valuesIn(withoutPrices([...policy, ...told])));
  const ofCustomer = once(() => valuesIn(withoutPrices(said)));
  return (amount: Amount, { mayRepeat, isBudget }: Sentence): boolean => {
    if (holds(ofOwner(), amount)) return true;
    return mayRepeat() && (holds(ofShop(), amount) || (isBudget() && holds(ofCustomer(), amount)));
  };
};

/**
 * The amounts in an answer that must not stand there (design 3.7). True are those in money fields of tool results; those of
 * the shop's texts and of the customer only in a sentence about no product which says what it is about, and never what a text
 * calls a price.
 */
export const wrongAmounts = async (
  text: string,
  sources: Sources,
  namesProduct: NamesProduct,
): Promise<readonly Amount[]> => {
  const { facts, store } = sources;
  const others = [...toldAddresses(text, facts), ...toldOrders(text, facts), ...instantsIn(text)];
  const isOther = ({ start, end }: Amount): boolean => others.some((span) => span.start <= start && end <= span.end);
  const found = amountsIn(text).filter((amount) => !isOther(amount));
  const names = found.some(({ isSoft }) => isSoft) ? namesIn(text, facts) : [];
  const amounts = found.filter(
    ({ start, end, isSoft }) => !(isSoft && names.some((name) => name.start <= start && end <= name.end)),
  );
  const prices = facts.products.flatMap(({ price }) => (price === null ? [] : [price]));
  const live = new Set([...facts.amounts, ...prices]);
  const untold = amounts.filter((amount) => isForeign(amount, store) || !holds(live, amount));
  if (untold.length === 0) return [];
  const isSaid = saidIn(sources);
  const sentences = segmentsOf(text, amounts).map(({ start, end }) => ({
    ...{ start, end },
    ...sentenceOf(text.slice(start, end), sources, namesProduct),
  }));
  const allowed = await Promise.all(
    untold.map(async (amount) => {
      const sentence = segmentAt(sentences, amount.start);
      return sentence !== undefined && isSaid(amount, sentence) && !(await sentence.namesProduct());
    }),
  );
  return untold.filter((_, n) => !allowed[n]);
};
