import { isGrouped, tokensOf, valuesOfDigits, type Token } from './money.tokens';
import {
  CLOSING,
  CURRENCIES,
  FILLER,
  GLUED_MEASURES,
  LEAST_TOTAL,
  MEASURES,
  NUMBERED,
  OF_STOCK,
  ONLY_BEHIND,
  PRICE_WORD,
  SIZE,
  SPELLED,
  STOCK,
  TIMES,
  TOTAL_WORD,
} from './money.words';
import { isLargeScale, isLargeUnit, isScale, isUnit, valueOfWords, type NumberToken } from './number.words';

/** An amount of money in a text. */
export interface Amount {
  /** Places in the original text. */
  readonly start: number;
  readonly end: number;
  /** What it may mean; it is true when one of them is. */
  readonly values: readonly number[];
  /** As a code, when one is written; `$` is that of any country. */
  readonly currency?: string;
  /** Known as money only by its form, `10.000` or `10k`, as names of products may be too. */
  readonly isSoft: boolean;
}

/** `250000`: round, and not begun by a zero as telephone numbers are. */
const ROUND = /^[1-9]\d{0,5}000$/;
/** Between a currency and its number, however far they were moved apart. */
const TO_NUMBER = /^[^\p{L}\d,;!?]{0,80}$/u;
const WITHIN = /^[\s-]{0,3}$/;
/** Between a number and its scale, `150 (ribu)`, but for the end of a sentence. */
const TO_SCALE = /^(?![^]*[.…]\s)[^\p{L}\d,;!?]{0,10}$/u;
/** What may stand between the parts of one number. */
const gapTo = (word: string): RegExp => (isLargeScale(word) && word !== 'k' ? TO_SCALE : WITHIN);
const RANGE = /^\s*(?:[-–—~]|s\/d)\s*$/;
const RANGE_WORD = /^(?:sampai|hingga|to|until|sd)$/;

/** Of one number, as many as the longest has. */
const MOST_PARTS = 20;
/** Each part that may mean two things doubles what all may mean together: a text of such parts would end the process. */
const MOST_READINGS = 64;

/** Tokens `from` to `to`, exclusive, as one number. */
interface Phrase {
  readonly from: number;
  readonly to: number;
}

class Scanner {
  constructor(
    private readonly tokens: readonly Token[],
    private readonly original: string,
  ) {}

  amounts(): Amount[] {
    const found: Amount[] = [];
    for (let n = 0; n < this.tokens.length;) {
      const amount = this.amountAt(n);
      if (amount?.amount) found.push(amount.amount);
      n = amount?.next ?? n + 1;
    }
    return found;
  }

  private at(n: number): Token | undefined {
    return this.tokens[n];
  }

  private currencyAt(n: number): string | undefined {
    const text = this.at(n)?.text ?? '';
    return (
      CURRENCIES[text] ?? (SPELLED.find((letters) => text === letters.at(-1) && this.isSpelled(letters, n)) && 'IDR')
    );
  }

  /** `R p`, `I.D.R`. */
  private isSpelled(letters: string, n: number): boolean {
    return [...letters].every((letter, i) => {
      const token = this.at(n - letters.length + 1 + i);
      return token?.text === letter && (i === 0 || /^[\s.]{1,3}$/.test(token.gap));
    });
  }

  /** Where the number that begins at `n` ends; `n` when there is none. */
  private phraseEnd(n: number): number {
    const first = this.at(n);
    if (!first || !(first.isDigits || isUnit(first.text))) return n;
    let to = n + 1;
    while (to < n + MOST_PARTS && this.at(to) && this.joins(to)) to += 1;
    return to;
  }

  private joins(n: number): boolean {
    const [before, token] = [this.at(n - 1) as Token, this.at(n) as Token];
    if (!gapTo(token.text).test(token.gap)) return false;
    // `k` also stands for `kak`
    if (isScale(token.text)) return token.text !== 'k' || token.gap === '' || this.original[token.start] === 'K';
    if (before.isDigits) return false;
    if (token.text === 'and') return isScale(before.text) && isUnit(this.at(n + 1)?.text ?? '');
    return isUnit(token.text) || (token.isDigits && isScale(before.text) && (token.gap === '' || this.isScaled(n)));
  }

  private isScaled(n: number): boolean {
    const after = this.at(n + 1);
    return after !== undefined && isScale(after.text) && WITHIN.test(after.gap);
  }

  /** Digits in groups or one by one, however far apart: `1 000 000`, `2 5 0 . 0 0 0`, a line break in a number. */
  private spacedEnd(n: number, hasCurrency: boolean): number {
    if (!this.at(n)?.isDigits) return n;
    const single = hasCurrency && this.at(n)?.text.length === 1;
    let to = n + 1;
    for (let token = this.at(to); token?.isDigits && /^\s*[.,]?\s*$/.test(token.gap); token = this.at(to)) {
      const isGroup = hasCurrency ? /^\d{3}(?:[.,]\d{3})*$/.test(token.text) : token.text === '000';
      if (!isGroup && !(single && token.text.length === 1)) break;
      to += 1;
    }
    return to;
  }

  private valuesOf({ from, to }: Phrase, scale?: string): number[] {
    const words = this.tokens.slice(from, to).filter(({ text }) => text !== 'and');
    const hasScale = scale !== undefined || words.some(({ text }) => isScale(text));
    let readings: NumberToken[][] = [[]];
    for (const { text, isDigits } of words) {
      const values: readonly NumberToken[] = isDigits
        ? valuesOfDigits(text, hasScale && readings.length < MOST_READINGS)
        : [text];
      readings = readings.flatMap((reading) => values.map((value) => [...reading, value]));
    }
    const closed = readings.map((reading) => (scale ? [...reading, scale] : reading));
    const values = closed.flatMap((reading) => {
      const end = reading.findLastIndex((token) => typeof token === 'string' && isLargeScale(token));
      // `seratus ribu dua pasang`: what follows the scale may count something else
      const short = end !== -1 && end < reading.length - 1 ? [valueOfWords(reading.slice(0, end + 1))] : [];
      return [valueOfWords(reading), ...short];
    });
    const last = words.at(-1);
    const colloquial = last?.isDigits && last.gap === '' && isLargeScale(words.at(-2)?.text ?? '');
    // `1jt250` is a million and 250 thousand
    return colloquial ? [...values, ...values.map((value) => value + Number(last.text) * 999)] : values;
  }

  /** The scale of the number with which a range ends: `200-250 ribu`. */
  private scaleOfRange(to: number): string | undefined {
    const next = this.at(to);
    const word = next && RANGE_WORD.test(next.text);
    if (!next || !(word || RANGE.test(next.gap))) return undefined;
    const from = word ? to + 1 : to;
    const end = this.phraseEnd(from);
    return this.tokens.slice(from, end).findLast(({ text }) => isLargeScale(text))?.text;
  }

  private isMeasured(to: number): boolean {
    const next = this.at(to);
    if (!next || !/^[\s-]{0,2}$/.test(next.gap)) return false;
    if (TIMES.has(next.text) && this.at(to + 1)?.text === 'ini') return false;
    return MEASURES.has(next.text) || (GLUED_MEASURES.has(next.text) && next.gap === '');
  }

  private hasPriceWord(from: number, to: number): boolean {
    let n = from - 1;
    while (n >= 0 && from - n <= 6 && FILLER.test(this.at(n)?.text ?? '')) n -= 1;
    const word = this.at(n)?.text ?? '';
    const isTotal = TOTAL_WORD.test(word) && this.valuesOf({ from, to }).some((value) => value >= LEAST_TOTAL);
    if (!isTotal && !PRICE_WORD.test(word)) return false;
    const next = this.at(to);
    return !next || CLOSING.test(next.text) || /[^\s-]/.test(next.gap);
  }

  /** `stoknya masih 1.250` counts goods. */
  private isStock(from: number): boolean {
    const isBeside = (n: number): boolean => this.isNear(n, /^[\s:=]{0,3}$/);
    let n = from;
    while (from - n < 3 && isBeside(n) && OF_STOCK.test(this.at(n - 1)?.text ?? '')) n -= 1;
    const [word, before] = [this.at(n - 1)?.text ?? '', this.at(n - 2)?.text ?? ''];
    return isBeside(n) && STOCK.test(word) && !PRICE_WORD.test(before);
  }

  private isMarked({ from, to }: Phrase): boolean {
    const [first, last] = [this.at(from) as Token, this.at(to - 1) as Token];
    const after = this.original.slice(last.end, last.end + 3);
    return first.gap.endsWith('@') || /^,[-–]/.test(after) || (last.text.length > 3 && /^\/\p{L}/u.test(after));
  }

  private amountAt(n: number): { amount?: Amount; next: number } | undefined {
    const before = this.isNear(n + 1, TO_NUMBER) ? this.currencyBefore(n) : undefined;
    const from = before ? n + 1 : n;
    const spaced = this.spacedEnd(from, before !== undefined);
    const to = Math.max(this.phraseEnd(from), spaced);
    if (to === from) return undefined;
    const after = before ? undefined : this.currencyAfter(to);
    const next = after ? to + 1 : to;
    const kind = before || after ? 'hard' : this.kindOf({ from, to }, spaced - from > 1);
    if (!kind) return { next };
    const values = this.readingsOf({ from, to }, spaced);
    const places = { start: (this.at(n) as Token).start, end: (this.at(next - 1) as Token).end };
    return { amount: { ...places, values, currency: before ?? after, isSoft: kind === 'soft' }, next };
  }

  /** A currency before a number, unless it is what a thing is made of, or the kind of its size: `ukuran Euro 42`. */
  private currencyBefore(n: number): string | undefined {
    const [word, previous] = [this.at(n)?.text ?? '', this.at(n - 1)?.text ?? ''];
    const isOfSize = word === 'euro' && SIZE.test(previous);
    return ONLY_BEHIND.has(word) || isOfSize ? undefined : this.currencyAt(n);
  }

  /** A currency behind a number, unless it begins the next amount: `ukuran 42 Rp250.000`. */
  private currencyAfter(n: number): string | undefined {
    const next = this.at(n + 1);
    const beginsAnother = next && (next.isDigits || isUnit(next.text)) && TO_NUMBER.test(next.gap);
    return this.isNear(n, /^\s{0,2}$/) && !beginsAnother ? this.currencyAt(n) : undefined;
  }

  private isNear(n: number, gap: RegExp): boolean {
    const token = this.at(n);
    return token !== undefined && gap.test(token.gap);
  }

  /** Everything that it may mean. */
  private readingsOf(phrase: Phrase, spaced: number): number[] {
    const { from, to } = phrase;
    const parts = this.tokens.slice(from, spaced).map(({ text }) => text.replace(/\D/g, ''));
    const joined = parts.length > 1 ? [Number(parts.join(''))] : [];
    const alone = this.valuesOf({ from, to: this.phraseEnd(from) }, this.scaleOfRange(to));
    return [...new Set([...joined, ...alone, ...this.valuesOf({ from, to: this.phraseEnd(from) })])];
  }

  private kindOf({ from, to }: Phrase, isSpaced: boolean): 'hard' | 'soft' | undefined {
    const words = this.tokens.slice(from, to);
    if (this.isMarked({ from, to })) return 'hard';
    if (words.every(({ isDigits }) => isDigits) && this.isStock(from)) return undefined;
    if (this.hasPriceWord(from, to)) return 'hard';
    const scale = words.findLast(({ text }) => isLargeScale(text))?.text;
    // Of `seratus ribu dua pasang` only the end is counted
    const isCountedWhole = !scale || words.at(-1)?.text === scale;
    if (isCountedWhole && this.isMeasured(to)) return undefined;
    if (this.saysMoney({ from, to }, scale)) return 'hard';
    const isAmount = scale !== undefined || isSpaced || this.isWrittenAsMoney({ from, to });
    return isAmount && !this.isPartOfWord(from) ? 'soft' : undefined;
  }

  /** `250.000`, or round digits that are not the number of something. */
  private isWrittenAsMoney({ from, to }: Phrase): boolean {
    const digits = this.at(from)?.text ?? '';
    const isRound = to === from + 1 && ROUND.test(digits) && !NUMBERED.test(this.at(from - 1)?.text ?? '');
    return isGrouped(digits) || isRound;
  }

  private saysMoney({ from, to }: Phrase, scale: string | undefined): boolean {
    if (scale !== undefined && scale !== 'k') return true;
    return this.tokens.slice(from, to).some(({ text }) => isLargeUnit(text)) || this.scaleOfRange(to) !== undefined;
  }

  private isPartOfWord(n: number): boolean {
    return this.at(n - 1)?.isDigits === false && /^$|[-+/#]$/.test(this.at(n)?.gap ?? '');
  }
}

/**
 * The amounts of money in a text, in every notation that Indonesian shops use: `Rp250.000`, `IDR 250,000`, `250rb`, `1,5 juta`,
 * `250k`, `250.000,-`, `dua ratus lima puluh ribu`, `harga 1`; also where the characters are of another script, far apart or parted by
 * what nobody sees.
 */
export const amountsIn = (text: string): readonly Amount[] => new Scanner(tokensOf(text), text).amounts();
