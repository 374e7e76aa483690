/** Marks upon one letter beyond what any language writes. The two half-width signs become marks in some forms. */
const HEAPED = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * A text in a normal form of Unicode, with at most 30 marks upon a letter, as its stream-safe format has it. Marks are put in order in the
 * square of the time that their number takes: a text of nothing else would hold up the process for minutes, whoever wrote it.
 */
export const normalized = (text: string, form: 'NFC' | 'NFKC'): string => text.replace(HEAPED, '$1').normalize(form);
