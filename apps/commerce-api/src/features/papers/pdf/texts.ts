import type { Address, StoreAddress } from '../../../address.dto';

export const LANGUAGE = { id: 'id-ID', en: 'en-GB' } as const;
export type PaperLocale = keyof typeof LANGUAGE;

/** Amounts are whole: the settlement unit of the rupiah has no decimals. */
export const moneyIn = (locale: PaperLocale, currency: string): ((amount: number) => string) => {
  const format = new Intl.NumberFormat(LANGUAGE[locale], { style: 'currency', currency, maximumFractionDigits: 0 });
  return (amount) => format.format(amount).replaceAll('\u00a0', ' ');
};

/** Those that say something. */
export const given = (lines: readonly (string | null | undefined)[]): string[] =>
  lines.filter((line): line is string => typeof line === 'string' && line.trim() !== '');

/** An address as it is written on paper. */
export const placeLines = (address: Address | StoreAddress | null): string[] =>
  address
    ? given([
        address.line,
        given([address.district, address.city]).join(', '),
        given([address.province, address.postcode]).join(' '),
      ])
    : [];
