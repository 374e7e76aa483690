/** The words of a text, as places are looked for: `Coblong, Bandung`. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);

/** Whether every word begins a word of the label. */
export const areFoundBy = (words: readonly string[], label: string): boolean => {
  const names = wordsOf(label);
  return words.length > 0 && words.every((word) => names.some((name) => name.startsWith(word)));
};
