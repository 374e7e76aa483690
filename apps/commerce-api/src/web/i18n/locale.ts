export const locales = ['id', 'en'] as const;
export type Locale = (typeof locales)[number];

export const isLocale = (text: string | undefined): text is Locale => text === 'id' || text === 'en';

/** The first of our languages that a browser asks for (RFC 9110 section 12.5.4, weights aside: browsers send them in order); Indonesian by default. */
export const localeOf = (accepted: string | undefined): Locale => {
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const language = part.trim().slice(0, 2);
    if (isLocale(language)) return language;
  }
  return 'id';
};
