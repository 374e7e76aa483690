import { phoneDigits } from '@platform/validation';

/**
 * A WhatsApp address. `id` is without suffix: digits of a user or hidden identity; a group may hold one hyphen; the business-scoped id by which
 * Meta names who hides the number from a business (`ID.13491208655302741918`, with `ENT` where companies share them: Meta's "Business-scoped
 * user IDs").
 */
export interface ChatAddress {
  readonly kind: 'user' | 'group' | 'lid' | 'bsuid';
  readonly id: string;
}

const SUFFIX = { user: '@s.whatsapp.net', group: '@g.us', lid: '@lid', bsuid: '@bsuid' } as const;
const KIND: Readonly<Record<string, ChatAddress['kind'] | undefined>> = {
  's.whatsapp.net': 'user',
  'c.us': 'user',
  'g.us': 'group',
  lid: 'lid',
  bsuid: 'bsuid',
};
/** Meta's documentation: up to 128 characters behind the country. */
const BSUID = /^[A-Z]{2}(?:\.ENT)?\.[A-Za-z0-9]{1,128}$/;
/** Characters that an address may have as a client writes it: the longest is a business-scoped id. */
export const LONGEST_ADDRESS = 160;

/** Contract form of a callback's `number`: chat-backend design section 1 row 10. */
const CALLBACK_NUMBER = /^(\d{5,20}(?:-\d{5,20})?)@(s\.whatsapp\.net|c\.us|lid|g\.us)$/;
/** Old group ids are the creator's number and an epoch time, new ones begin with 120363. */
const BARE_GROUP = /^(?:\d{5,15}-1\d{9}|120363\d{9,14})$/;
const GROUP = /^\d{5,20}(?:-\d{5,20})?$/;

const bsuidOf = (text: string): ChatAddress | undefined => {
  const [id = '', server] = text.split('@');
  return server === 'bsuid' && BSUID.test(id) ? { kind: 'bsuid', id } : undefined;
};

const withoutDevice = (address: string): string => address.replace(/:\d{1,5}(?=@|$)/, '');

/**
 * The strict form in which the gateway names a chat: digits (a group may hold a hyphen) and a suffix, a device part such
 * as `:12` is dropped. Bare digits are refused, as are `status@broadcast` and newsletters. Nothing is guessed.
 */
export const parseCallbackNumber = (number: string): ChatAddress | undefined => {
  const [, id, server = ''] = CALLBACK_NUMBER.exec(withoutDevice(number)) ?? [];
  const kind = KIND[server];
  return id && kind ? { kind, id } : bsuidOf(number);
};

const userOf = (text: string, countryCode: string): ChatAddress | undefined => {
  const id = phoneDigits(text, countryCode);
  return id === undefined ? undefined : { kind: 'user', id };
};

/**
 * What a person or a client writes, as one address, or undefined when it is none (wa-gateway design 2.1): `08123456789`,
 * `+62 812-3456-789`, `628123456789@c.us`, `628123456789:7@s.whatsapp.net` are the same user; group ids and `@lid` keep
 * their kind. A leading 0 becomes `countryCode`. Users have 7 to 15 digits (E.164).
 */
export const parseAddress = (input: string, countryCode = '62'): ChatAddress | undefined => {
  const [text = '', server, ...rest] = withoutDevice(input.replace(/\s/g, '')).split('@');
  if (rest.length > 0) return undefined;
  if (server === undefined) return BARE_GROUP.test(text) ? { kind: 'group', id: text } : userOf(text, countryCode);
  switch (KIND[server]) {
    case 'user':
      return userOf(text, countryCode);
    case 'group':
      return GROUP.test(text) ? { kind: 'group', id: text } : undefined;
    case 'lid':
      return /^\d{5,20}$/.test(text) ? { kind: 'lid', id: text } : undefined;
    case 'bsuid':
      return bsuidOf(`${text}@${server}`);
    default:
      return undefined;
  }
};

/** `628…@s.whatsapp.net`, `…@g.us`, `…@lid` or `…@bsuid`: the form used towards WhatsApp and in callbacks. */
export const jidOf = ({ kind, id }: ChatAddress): string => id + SUFFIX[kind];

/**
 * The form chat-backend keeps and answers as `nohp`: bare digits of a user; groups and hidden identities keep their
 * suffix, because a stripped `@lid` would collide with a phone number.
 */
export const nohpOf = (address: ChatAddress): string => (address.kind === 'user' ? address.id : jidOf(address));

/** Whether a chat is named by an identity that hides a number. */
export const hidesNumber = (chat: string): boolean => chat.endsWith(SUFFIX.lid) || chat.endsWith(SUFFIX.bsuid);

/** `nohp` of a request, in any form a client may hold (digits, `+62…`, `08…`, suffixed), as the stored form. */
export const normaliseNohp = (input: string, countryCode = '62'): string | undefined => {
  const address = parseCallbackNumber(input) ?? parseAddress(input, countryCode);
  return address && nohpOf(address);
};
