import { textIn } from '../tools/public';
import { tokensOf, type Token } from './money.tokens';
import { isScale, isUnit, valueOfWords } from './number.words';
import type { Sources } from './price.guard';
import { plainText, readingOf } from './plain.reading';
import { once, segmentAt, segmentsOf, type Span } from './segments';

/** Words that take something off a price, however they are inflected. */
const CUT =
  '(?:di|ter|men)?(?:diskon|discount|disc|potong|korting|turun)(?:an|kan|in)?(?:nya)?|(?:di|me|ber)kurang(?:i|kan|in)?|cashback|hemat|save';
const LESS = new RegExp(
  String.raw`(?<!\p{L})(?:${CUT}|(?:off|promo|voucher|kupon|sale|obral)(?:nya)?|lebih murah|cheaper|bayar|pay|dari harga|of the (?:\p{L}+ )?price)(?!\p{L})`,
  'u',
);
/** Right beside a whole: otherwise a hundred of a hundred says what something is made of. */
const CUT_BEFORE = new RegExp(String.raw`(?<!\p{L})(?:${CUT})(?: (?:sebesar|hingga|sampai|up to|of))? $`, 'u');
const CUT_BEHIND = new RegExp(String.raw`^ (?:off|${CUT})(?!\p{L})`, 'u');
const PERCENT = /^(?:%|(?:persen|percent|prosen|pct)(?:nya|an)?)$/;
const HALF = new RegExp(
  [
    String.raw`(?<!\p{L})(?:setengah|separ[uo]h?|half|1[/⁄]2)(?: (?:dari|of|the)){0,2} (?:harga|price|off)`,
    String.raw`(?<!\p{L})(?:${CUT}|harganya|harga)(?: (?:jadi|tinggal|cuma|hanya|sebesar)){0,2} (?:setengah|separ[uo]h?)(?:nya)?(?! (?:juta|ribu|jt|rb|miliar))`,
  ].join(String.raw`(?!\p{L})|`) + String.raw`(?!\p{L})`,
  'gu',
);
const SHIPPING = '(?:ongkir|ongkos(?: kirim)?|biaya (?:kirim|pengiriman)|shipping|delivery)';
const FREE = new RegExp(
  String.raw`(?<!\p{L})(?:${[
    '(?:di|meng)?gratis+(?:kan|in|an)?(?:nya)?|cuma-?(?:cuma|2)|for free|get one free|bonus(?:nya)?',
    `(?:bebas|free|tanpa) ${SHIPPING}(?:nya)?|bebas biaya|free (?:gift|of charge)`,
    // Not `free size` nor `feel free`
    '(?:dapat|dapet|dpt|get|plus) free(?! size)',
    `${SHIPPING}(?:nya)? (?:(?:kami|kita|toko) (?:yang )?tanggung|ditanggung (?:oleh )?(?:kami|kita|toko|penjual))`,
    '(?:tidak|tak|nggak|enggak|gak|ga) (?:usah|perlu) bayar ongkir',
    String.raw`ongkir(?:nya)? (?:0|nol)(?![.,]?\d)`,
    String.raw`(?:beli|buy) (?:\d+|satu|dua|one|two) (?:dapat|dapet|dpt|get) (?:\d+|satu|dua|tiga|one|two|three)`,
  ].join('|')})(?!\p{L})`,
  'gu',
);

const NOT = String.raw`(?:tidak|tak|nggak|enggak|gak|ga|belum|bukan|jangan|dilarang|no|not|never|without|cannot|\p{L}{2,5}n['’]t)`;
/** Denied is something else, and what follows is promised all the more. */
const BUT =
  'hanya|cuma|saja|sekadar|perlu|usah|ragu|khawatir|rugi|masalah|bayar|biaya|min|minim\\p{L}*|syarat|batas\\p{L}*|lebih|melebihi|lewatkan|ketinggalan|lupa|only|more|just|need|pay|cost|charge|limit|miss|forget|problem|worr\\p{L}*';
const CONDITION =
  'minim\\p{L}*|min|maks\\p{L}*|max\\p{L}*|syarat|batas\\p{L}*|biaya|ongkos|ketentuan|kuota|tambahan|cost|charge|limit|condition\\p{L}*';
const IF = 'jika|bila|apabila|andai|if|when';
const NOT_IF = String.raw`(?<!(?<!\p{L})(?:${IF})(?: \p{L}+){0,4} )`;
/** Of `kalau`, which also only says what is spoken of: `kalau ke Papua belum ada`. */
const NOT_FOR = String.raw`(?:(?<!(?<!\p{L})kal(?:au|o)(?: \p{L}+){0,4} )${NOT}|${NOT}(?= (?:ada|bisa|dapat|tersedia)(?!\p{L})))`;
const AND = `${IF}|kalau|kalo|dan|and|serta|tanpa`;
/** Before or behind an offer: it is said not to be one. */
const NOT_BEFORE = new RegExp(String.raw`${NOT_IF}(?<!\p{L})${NOT_FOR}(?: (?!(?:${BUT})(?!\p{L}))\p{L}+){0,5} $`, 'u');
const NOT_BEHIND = new RegExp(
  String.raw`^(?:-?nya)?(?: (?!(?:${AND})(?!\p{L}))\p{L}+){0,3} (?:${NOT} (?:ada|tersedia|berlaku(?! (?:untuk|bagi|di|ke|pada))|bisa|dapat|available|possible)(?!\p{L})(?!(?: \p{L}+)? (?:${CONDITION})(?!\p{L}))|sudah (?:berakhir|habis|selesai)(?!\p{L}))`,
  'u',
);

/** Behind what is denied: there it is given. */
const UNLESS =
  /^(?: \p{L}+){0,3},? (?:kecuali|selain|jika|kalau|kalo|bila|apabila|sebelum|unless|except|if|before)(?!\p{L})/u;
/** Words by which a shop gives something, beside those of `FREE`. */
const GIVEN =
  /(?<!\p{L})(?:(?<!feel )free(?! size)|tanpa biaya|tidak (?:ada|kena|dikenakan|dipungut) biaya|no (?:extra |additional )?(?:cost|charge|fee)|complimentary|hadiah)(?!\p{L})/gu;

const NEAR = 80;
/** Of a hundred. */
const WHOLE = 100;
const RANGE = /^\s*(?:[-–—~]|s\/d)\s*$/;

/** What a text promises beside amounts of money: a part of a hundred, or that something costs nothing. */
interface Offer {
  readonly what: string;
  readonly span: Span;
  /** A promise whatever else its sentence says. */
  readonly isPlain: boolean;
}

/** Where the number begins that ends before token `n`. */
const numberBefore = (tokens: readonly Token[], n: number): number => {
  const isPart = ({ text }: Token): boolean => isUnit(text) || isScale(text);
  let from = n;
  while (from > 0 && /^[\s-]{0,3}$/.test((tokens[from] as Token).gap) && isPart(tokens[from - 1] as Token)) from -= 1;
  const before = tokens[n - 1];
  return from === n && before?.isDigits && /^\s{0,3}$/.test((tokens[n] as Token).gap) ? n - 1 : from;
};

/** As it is read, near a place: the texts of a shop are long. */
const before = (text: string, { start }: Span): string => plainText(text.slice(Math.max(0, start - NEAR), start));
const behind = (text: string, { end }: Span): string => plainText(text.slice(end, end + NEAR));

const isDenied = (text: string, span: Span): boolean =>
  (NOT_BEFORE.test(before(text, span)) && !UNLESS.test(behind(text, span))) || NOT_BEHIND.test(behind(text, span));
const isCut = (text: string, span: Span): boolean =>
  CUT_BEFORE.test(before(text, span)) || CUT_BEHIND.test(behind(text, span));

const percentsIn = (text: string): Offer[] => {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, n) => {
    if (!PERCENT.test(token.text)) return [];
    const from = numberBefore(tokens, n);
    const number = tokens.slice(from, n);
    const [first] = number;
    if (!first) return [];
    const value = first.isDigits ? parseInt(first.text, 10) : valueOfWords(number.map((one) => one.text));
    const least =
      RANGE.test(first.gap) && tokens[from - 1]?.isDigits ? [parseInt(tokens[from - 1]?.text ?? '', 10)] : [];
    const span = { start: first.start, end: token.end };
    const isWhole = value >= WHOLE;
    if (isWhole && !isCut(text, span)) return [];
    return [...least, value].map((part) => ({ what: String(part), span, isPlain: isWhole }));
  });
};

const wordsIn = (text: string, pattern: RegExp, what: string): Offer[] => {
  const { text: plain, at } = readingOf(text);
  return [...plain.matchAll(pattern)].map(({ 0: { length }, index }) => {
    const span = { start: at[index] ?? 0, end: (at[index + length - 1] ?? 0) + 1 };
    return { what, span, isPlain: true };
  });
};

const undenied = (text: string, offers: readonly Offer[]): Offer[] =>
  offers.filter(({ span }) => !isDenied(text, span));

const offersIn = (text: string): Offer[] =>
  undenied(text, [...percentsIn(text), ...wordsIn(text, HALF, '50'), ...wordsIn(text, FREE, 'free')]);

const givenIn = (text: string): Offer[] => [...offersIn(text), ...undenied(text, wordsIn(text, GIVEN, 'free'))];

/**
 * Where an answer says that something costs less by a part of a hundred, or nothing, which no text of the shop and no tool result
 * says: a customer's word opens no till.
 */
export const wrongDiscounts = (text: string, { facts, prompt, policy, told, store }: Sources): Span[] => {
  const found = offersIn(text);
  if (found.length === 0) return [];
  const names = facts.products.map(({ name }) => name);
  const shop = [prompt, ...policy, ...told, ...names, textIn(store.facts)];
  const known = new Set(shop.flatMap((one) => givenIn(one).map(({ what }) => what)));
  if ([...facts.amounts, ...facts.products.map(({ price }) => price)].includes(0)) known.add('free');
  const sentences = segmentsOf(text).map(({ start, end }) => ({
    ...{ start, end },
    isOfLess: once(() => LESS.test(plainText(text.slice(start, end)))),
  }));
  return found
    .filter(({ what, span, isPlain }) => !known.has(what) && (isPlain || segmentAt(sentences, span.start)?.isOfLess()))
    .map(({ span }) => span);
};
