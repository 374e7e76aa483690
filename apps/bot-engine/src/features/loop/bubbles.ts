const MAX_BUBBLE = 1000;
const MAX_BUBBLES = 3;

/** End of a sentence: its mark, then white space. */
const sentences = (text: string): string[] => text.split(/(?<=[.!?…])\s+/);

const words = (text: string): string[] => text.split(/\s+/);

/** A word in portions, none of which ends within an emoji. */
const portions = (word: string): string[] => {
  const characters = [...word];
  const most = MAX_BUBBLE / 2;
  if (word.length <= MAX_BUBBLE) return [word];
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, n) =>
    characters.slice(n * most, (n + 1) * most).join(''),
  );
};

/** Pieces of at most 1,000 characters, cut at sentences, at words where one sentence is longer, inside a word as a last resort. */
const pieces = (text: string): string[] => {
  if (text.length <= MAX_BUBBLE) return [text];
  const parts = sentences(text).flatMap((sentence) => (sentence.length > MAX_BUBBLE ? words(sentence) : [sentence]));
  const cut: string[] = [];
  for (const part of parts.flatMap(portions)) {
    const last = cut.at(-1);
    if (last !== undefined && last.length + part.length < MAX_BUBBLE) cut[cut.length - 1] = `${last} ${part}`;
    else cut.push(part);
  }
  return cut;
};

/** Bubbles of one answer (design 2.2): split on blank lines and above 1,000 characters; a fourth joins the third. */
export const bubblesOf = (text: string): string[] => {
  const all = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .flatMap(pieces);
  const rest = all.slice(MAX_BUBBLES - 1).join('\n\n');
  return [...all.slice(0, MAX_BUBBLES - 1), ...(rest ? [rest] : [])];
};
