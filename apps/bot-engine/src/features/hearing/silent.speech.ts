/**
 * What speech models are known to write down of a file in which nobody speaks: the endings of the films that they were trained on.
 * Anchored to whole sentences: a customer who thanks is a customer.
 */
const PHRASES = [
  /\b(sub|tak)?(titles?|titel|takarir|terjemahan)\s+(by|oleh|:)[^!?\n]*/giu,
  /\b(subtitles?|captions?|transcri(bed|ption))\s+(made\s+)?by[^!?\n]*/giu,
  /\bamara\.org( community)?\b/giu,
  /\bterima\s?kasih (telah|sudah|atas)( kalian)? (menonton|menyaksikan|perhatian(nya)?)[^.!?\n]*/giu,
  /\bsampai (jumpa|bertemu)( lagi)? di video[^.!?\n]*/giu,
  /\bjangan lupa (untuk )?(like|subscribe)[^.!?\n]*/giu,
  /\bthank(s| you)( so much| very much)? for watching[^.!?\n]*/giu,
  /\b(please )?(like and )?subscribe( to (my|our|the) channel)?\b[^.!?\n]*/giu,
  /[[(]\s*(music|musik|silence|hening|blank[_ ]audio|tepuk tangan|applause|noise)\s*[\])]/giu,
];

const NOTHING = /^[^\p{L}\p{N}]*$/u;

/** What somebody says in a recording: nothing when the words are only those that a silent file yields. */
export const spoken = (transcript: string): string => {
  const rest = PHRASES.reduce((text, phrase) => text.replace(phrase, ' '), transcript);
  return NOTHING.test(rest) ? '' : transcript;
};
