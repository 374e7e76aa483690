import type { Locale } from './locale';

/** What one module says, for a reader in their language. */
export type Catalogue<T> = (reader: { readonly locale: Locale }) => T;

/** The texts of a module in Indonesian, which gives them their shape, and in English. */
export const catalogue = <T extends object>(id: T, en: NoInfer<T>): Catalogue<T> => {
  const texts: Readonly<Record<Locale, T>> = { id, en };
  return ({ locale }) => texts[locale];
};
