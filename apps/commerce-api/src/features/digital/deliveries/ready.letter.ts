import { oneLine } from '../../papers/sending/public';

/** Something that a buyer can fetch. */
export interface ReadyThing {
  /** What was bought. */
  readonly item: string;
  /** null: its licence keys. */
  readonly file: string | null;
  readonly url: string;
  /** To be read in the message itself; of many, or very long ones, none. */
  readonly keys: readonly string[];
  readonly max_downloads: number;
  readonly expires_at: Date;
}

/** What the message `download_ready` tells. */
export interface Ready {
  readonly number: string;
  readonly buyer: string;
  readonly store: string;
  readonly timezone: string;
  readonly locale: 'id' | 'en';
  readonly things: readonly ReadyThing[];
}

const words = {
  id: {
    subject: (store: string, number: string) => `Unduhan Anda dari ${store} - ${number}`,
    keys: 'kunci lisensi',
    terms: (most: number, day: string) => `(paling banyak ${most} kali, sampai ${day})`,
  },
  en: {
    subject: (store: string, number: string) => `Your downloads from ${store} - ${number}`,
    keys: 'licence keys',
    terms: (most: number, day: string) => `(${most} times at most, until ${day})`,
  },
} as const;

const dayOf = ({ locale, timezone }: Ready, at: Date): string =>
  new Intl.DateTimeFormat(locale === 'id' ? 'id-ID' : 'en-GB', { dateStyle: 'long', timeZone: timezone }).format(at);

/** In a chat signs such as `*` and `_` would vanish from a key; between these they stay. */
const inChat = (key: string): string => `\`\`\`${key}\`\`\``;

export interface ReadyLetter {
  readonly subject: string;
  /** The parts of the message, none of which should be torn. */
  readonly parts: readonly string[];
}

/** The links of an order, and its keys, under the subject of their message. */
export const readyLetter = (ready: Ready, channel: 'whatsapp' | 'email'): ReadyLetter => {
  const { number, locale, things } = ready;
  const { subject, keys: theKeys, terms } = words[locale];
  const parts = things.map(({ item, file, keys, url, max_downloads, expires_at }) =>
    [
      `${oneLine(item)}: ${file === null ? theKeys : oneLine(file)}`,
      ...keys.map((key) => (channel === 'whatsapp' ? inChat(key) : key)),
      `${url} ${terms(max_downloads, dayOf(ready, expires_at))}`,
    ].join('\n'),
  );
  return { subject: subject(oneLine(ready.store), number), parts };
};

/** As few texts as hold all parts, none longer than `most` as long as its parts are not. */
export const textsOf = (parts: readonly string[], most: number): string[] => {
  const texts: string[] = [];
  for (const part of parts) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + part.length + 2 <= most) texts[texts.length - 1] = `${last}\n\n${part}`;
    else texts.push(part);
  }
  return texts;
};

/** The same around which a store says something: in its own text where they fit, else behind it. */
export const tellingOf = (say: (downloads: string) => string, parts: readonly string[], most: number): string[] => {
  const [first = '', ...rest] = textsOf(parts, most);
  const whole = say(first);
  return whole.includes(first) ? [whole, ...rest] : [say(''), first, ...rest];
};
