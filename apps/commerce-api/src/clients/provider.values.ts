/** Their settlement unit is the major one. Others have two decimals. */
const WHOLE = new Set(['IDR', 'VND', 'JPY', 'KRW']);
const decimalsOf = (currency: string): number => (WHOLE.has(currency) ? 0 : 2);

/**
 * An amount of a provider, a number or a text such as `150000.00`, in the settlement unit of the currency; undefined unless it is exactly
 * one, from 0 on.
 */
export const amountOf = (value: unknown, currency: string): number | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const [, whole = '', fraction = ''] = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  const isExact = whole !== '' && /^0*$/.test(fraction.slice(decimals));
  const amount = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return isExact && Number.isSafeInteger(amount) ? amount : undefined;
};

/** The amount as providers want it, in major units. */
export const majorOf = (amount: number, currency: string): number => amount / 10 ** decimalsOf(currency);

export type Row = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const rowAt = (row: Row, name: string): Row => {
  const value = row[name];
  return isRow(value) ? value : {};
};

/** A text of some length, of what comes from outside. */
export const textAt = (row: Row, name: string, longest = 300): string | undefined => {
  const value = row[name];
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
};

/** With an offset, as all three write them. */
export const timeAt = (row: Row, name: string): Date | null => {
  const text = textAt(row, name, 40);
  const at = new Date(text !== undefined && /T.*(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
};

/** An address that a buyer may be sent to. */
export const webAddressAt = (row: Row, name: string): string | undefined => {
  const text = textAt(row, name, 2_048);
  return text !== undefined && URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
    ? text
    : undefined;
};

/** The object of a JSON text; undefined for anything else. */
export const jsonRow = (raw: Buffer): Row | undefined => {
  try {
    const value = JSON.parse(raw.toString('utf8')) as unknown;
    return isRow(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

interface Line {
  readonly name: string;
  readonly qty: number;
  readonly price: number;
}

/** The lines where they add up to the amount, which providers check; fees and discounts are no lines. */
export const linesOf = (lines: readonly Line[], amount: number): readonly Line[] =>
  lines.reduce((sum, { qty, price }) => sum + qty * price, 0) === amount ? lines : [];

/** Whole minutes until then, at least one. */
export const minutesUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.floor((at.getTime() - now.getTime()) / 60_000));
