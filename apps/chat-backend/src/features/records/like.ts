/** LIKE: what holds this text. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * LIKE: what holds these words in their order, whatever stands between them. A space itself is not looked for: the trigrams
 * around it are in most names, and an index scan that meets them takes twice as long (measured on a million).
 */
export const likeWords = (words: string): string => likeText(words.trim()).replaceAll(/\s+/g, '%');
