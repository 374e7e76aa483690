const DIGITS = ['', 'satu', 'dua', 'tiga', 'empat', 'lima', 'enam', 'tujuh', 'delapan', 'sembilan'];

/** Indonesian number words of 1 to 999,999,999. */
export const inWords = (n: number): string => {
  const digit = (d: number): string => DIGITS[d] as string;
  const rest = (d: number): string => (d === 0 ? '' : ` ${inWords(d)}`);
  if (n < 10) return digit(n);
  if (n < 12) return n === 10 ? 'sepuluh' : 'sebelas';
  if (n < 20) return `${digit(n - 10)} belas`;
  if (n < 100) return `${digit(Math.floor(n / 10))} puluh${rest(n % 10)}`;
  if (n < 200) return `seratus${rest(n - 100)}`;
  if (n < 1_000) return `${digit(Math.floor(n / 100))} ratus${rest(n % 100)}`;
  if (n < 2_000) return `seribu${rest(n - 1_000)}`;
  if (n < 1_000_000) return `${inWords(Math.floor(n / 1_000))} ribu${rest(n % 1_000)}`;
  return `${inWords(Math.floor(n / 1_000_000))} juta${rest(n % 1_000_000)}`;
};

const grouped = (n: number, mark: string): string => String(n).replace(/\B(?=(\d{3})+$)/g, mark);
const decimal = (n: number, mark: string): string => String(n).replace('.', mark);
const fullWidth = (text: string): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

type Notation = (n: number) => string | undefined;
const exactly =
  (unit: number, write: (n: number) => string): Notation =>
  (n) =>
    n >= unit && (n * 1_000) % unit === 0 ? write(n / unit) : undefined;

const mixed: Notation = (n) => {
  const [millions, thousands] = [Math.floor(n / 1e6), (n % 1e6) / 1e3];
  return millions > 0 && thousands > 0 && Number.isInteger(thousands)
    ? `${millions} juta ${thousands} ribu`
    : undefined;
};

/** Every way to write an amount of rupiah; undefined where that way cannot say it. */
export const notations: Readonly<Record<string, Notation>> = {
  'Rp and points': (n) => `Rp${grouped(n, '.')}`,
  'Rp, space and points': (n) => `Rp ${grouped(n, '.')}`,
  'Rp. and points': (n) => `Rp. ${grouped(n, '.')}`,
  'Rp and plain digits': (n) => `Rp${n}`,
  'Rp, points and dash': (n) => `Rp${grouped(n, '.')},-`,
  'Rp, points and cents': (n) => `Rp${grouped(n, '.')},00`,
  'IDR and commas': (n) => `IDR ${grouped(n, ',')}`,
  'points and rupiah': (n) => `${grouped(n, '.')} rupiah`,
  'points alone': (n) => (n >= 1_000 ? grouped(n, '.') : undefined),
  'Rp and spaces': (n) => `Rp ${grouped(n, ' ')}`,
  'full-width digits': (n) => `Rp${fullWidth(grouped(n, '.'))}`,
  'unseen characters inside': (n) => `R\u200bp${grouped(n, '\u2060.')}`,
  'bold digits': (n) => `*Rp${grouped(n, '.')}*`,
  'a line break inside': (n) => `Rp\n${grouped(n, '.')}`,
  rb: exactly(1_000, (n) => `${decimal(n, ',')}rb`),
  ribu: exactly(1_000, (n) => `${decimal(n, ',')} ribu`),
  k: exactly(1_000, (n) => `${decimal(n, '.')}k`),
  'Rp and rb': exactly(1_000, (n) => `Rp${decimal(n, ',')}rb`),
  juta: exactly(1_000_000, (n) => `${decimal(n, ',')} juta`),
  jt: exactly(1_000_000, (n) => `Rp${decimal(n, ',')}jt`),
  million: exactly(1_000_000, (n) => `${decimal(n, '.')} million`),
  thousand: exactly(1_000, (n) => (Number.isInteger(n) ? `${n} thousand` : '')),
  'juta and ribu': mixed,
  words: (n) => (n >= 1_000 ? inWords(n) : `${inWords(n)} rupiah`),
};

/** Repeatable numbers in [0, 1): mulberry32. */
export const randomNumbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
