/** Number words of Indonesian and English, with slang for amounts of money. */
const UNITS: Readonly<Record<string, number>> = {
  nol: 0,
  kosong: 0,
  satu: 1,
  se: 1,
  dua: 2,
  tiga: 3,
  empat: 4,
  lima: 5,
  enam: 6,
  tujuh: 7,
  delapan: 8,
  sembilan: 9,
  sepuluh: 10,
  sebelas: 11,
  seratus: 100,
  seratusan: 100,
  seribu: 1_000,
  sejuta: 1_000_000,
  semiliar: 1e9,
  setengah: 0.5,
  half: 0.5,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  gocap: 50,
  cepek: 100,
  gopek: 500,
  seceng: 1_000,
  noceng: 2_000,
  goceng: 5_000,
  ceban: 10_000,
  noban: 20_000,
  goban: 50_000,
  sejeti: 1_000_000,
};
const SCALES: Readonly<Record<string, number>> = {
  belas: 10,
  puluh: 10,
  puluhan: 10,
  ratus: 100,
  ratusan: 100,
  hundred: 100,
  ribu: 1e3,
  ribuan: 1e3,
  rebu: 1e3,
  rebuan: 1e3,
  rbuan: 1e3,
  rbu: 1e3,
  rb: 1e3,
  rban: 1e3,
  k: 1e3,
  thousand: 1e3,
  thousands: 1e3,
  juta: 1e6,
  jutaan: 1e6,
  jt: 1e6,
  jtan: 1e6,
  million: 1e6,
  millions: 1e6,
  miliar: 1e9,
  milyar: 1e9,
  billion: 1e9,
  triliun: 1e12,
};
const LARGE = 1_000;

const longestFirst = [...Object.keys(UNITS), ...Object.keys(SCALES)]
  .filter((word) => word.length > 1)
  .sort((a, b) => b.length - a.length)
  .join('|');
/** Each word once it is found stays found: one that may be parted in two ways, `seribu`, would double the ways to read the whole. */
const RUN_TOGETHER = new RegExp(`^(?:(?=(${longestFirst}))\\1)+(?:an)?$`);
const PART = new RegExp(longestFirst, 'g');

/** The number words in one that was written together, `limaribu`; any other word is itself. */
export const wordsIn = (word: string): readonly string[] =>
  word.length > 5 && !isUnit(word) && !isScale(word) && RUN_TOGETHER.test(word) ? (word.match(PART) ?? [word]) : [word];

export type NumberToken = number | string;

export const isUnit = (word: string): boolean => Object.hasOwn(UNITS, word);
export const isScale = (word: string): boolean => Object.hasOwn(SCALES, word);
/** Words that make an amount of money of a number: nobody counts goods in `ribu`. */
export const isLargeScale = (word: string): boolean => isScale(word) && (SCALES[word] as number) >= LARGE;
/** Words that are amounts by themselves. */
export const isLargeUnit = (word: string): boolean =>
  isUnit(word) && ((UNITS[word] as number) >= LARGE || ['gocap', 'cepek', 'gopek'].includes(word));

/** The value of number words and digits in a row: `dua ratus lima puluh ribu`, `1 juta 250 ribu`, `2.5 million`. */
export const valueOfWords = (tokens: readonly NumberToken[]): number => {
  let total = 0;
  let group = 0;
  let digit = 0;
  const close = (value: number) => {
    group += value;
    digit = 0;
  };
  for (const token of tokens) {
    const scale = typeof token === 'string' ? SCALES[token] : undefined;
    if (token === 'belas') close(digit + 10);
    else if (scale !== undefined && scale < LARGE) close((digit || 1) * scale);
    else if (scale !== undefined) {
      total += (group + digit || 1) * scale;
      group = 0;
      digit = 0;
    } else {
      group += digit;
      digit = typeof token === 'number' ? token : (UNITS[token] ?? 0);
    }
  }
  return total + group + digit;
};
