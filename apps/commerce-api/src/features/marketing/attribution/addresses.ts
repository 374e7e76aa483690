import { InvalidInput } from '@platform/errors';

const OWN_REFUSAL = 'must open a web page, a number or a mail: http, https, tel, mailto or wa.me';
const WEB = new Set(['http:', 'https:']);
const CALLS = new Set(['http:', 'https:', 'tel:', 'mailto:']);
/** Browsers drop these from addresses before they read the scheme, or at their ends. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Z}\\]/u;
/** As a browser writes it, where a letter may take nine signs. */
const MOST = 2048;
const WA_ME = /^wa\.me\//i;

/** Throws `InvalidInput`: the field called `field` opens nothing that a page may link to. */
const refuse = (field: string): never => {
  throw new InvalidInput([{ field, tag: 'target', message: `${field} ${OWN_REFUSAL}` }]);
};

const read = (text: string): URL | undefined => (HIDDEN.test(text) || !URL.canParse(text) ? undefined : new URL(text));

/** Where a link leads, as a browser will read it: `wa.me/628..` becomes https. Throws `InvalidInput` for `javascript:` and all other schemes. */
export const safeTarget = (field: string, text: string, schemes = CALLS): string => {
  const url = read(WA_ME.test(text) ? `https://${text}` : text);
  if (url === undefined || !schemes.has(url.protocol)) return refuse(field);
  // Who reads an address takes what stands before the @ for its host
  if (WEB.has(url.protocol) && (url.username !== '' || url.password !== '' || url.hostname === ''))
    return refuse(field);
  if (!WEB.has(url.protocol) && url.pathname === '') return refuse(field);
  if (url.href.length > MOST)
    throw new InvalidInput([
      { field, tag: 'max', message: `${field} must be a maximum of ${MOST} characters in length` },
    ]);
  return url.href;
};

/** The same of web pages alone. */
export const safePage = (field: string, text: string): string => safeTarget(field, text, WEB);
