/** Letters and digits of a short link's code. */
const CODE = /\[#([a-z0-9]{4,16})\]/gi;

/**
 * The code of the short link that a text came from, in lower case: links to WhatsApp end the text that they prepare in `[#code]`, and its
 * writer may have gone on behind it. The last one counts; undefined when there is none.
 */
export const linkCodeOf = (text: string): string | undefined => [...text.matchAll(CODE)].at(-1)?.[1]?.toLowerCase();

/** The text that a link prepares, ending in its code. */
export const withLinkCode = (text: string, code: string): string => `${text} [#${code}]`.trimStart();
