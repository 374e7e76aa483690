/** Where a text is written to: the device that has rules of its own, or the other one. */
export type Line = 'branch' | 'main';

/** What a rule is made of; its reply is its name. Their order is their priority. */
export interface TableRule {
  readonly name: string;
  readonly match: 'exact' | 'starts' | 'contains';
  readonly keywords: readonly string[];
  readonly only?: Line;
  readonly active?: false;
  /** The reply is a picture with its name below. */
  readonly picture?: true;
  /** It is there, and is then taken away before anybody writes. */
  readonly gone?: true;
}

const LONE = '\ud83d';
const ZERO_WIDTH = '\u200b';

export const tableRules: readonly TableRule[] = [
  { name: 'price', match: 'exact', keywords: ['harga', 'price list'] },
  { name: 'order', match: 'starts', keywords: ['Pesan', 'order #'] },
  { name: 'asleep', match: 'contains', keywords: ['promo'], active: false },
  { name: 'deleted', match: 'contains', keywords: ['promo'], gone: true },
  { name: 'branch', match: 'contains', keywords: ['alamat'], only: 'branch' },
  { name: 'address', match: 'contains', keywords: ['alamat'] },
  { name: 'postage', match: 'contains', keywords: ['ongkir', 'ongkos  kirim'] },
  { name: 'free postage', match: 'contains', keywords: ['gratis ongkir'] },
  { name: 'catalogue', match: 'exact', keywords: ['katalog'], picture: true },
  { name: 'wide', match: 'exact', keywords: ['ｈａｌｏ'] },
  { name: 'cafe', match: 'contains', keywords: ['cafe'] },
  { name: 'café', match: 'contains', keywords: ['CAFÉ'] },
  { name: 'street', match: 'contains', keywords: ['straße'] },
  { name: 'thumb', match: 'contains', keywords: ['👍'] },
  { name: 'family', match: 'exact', keywords: ['👨‍👩‍👧'] },
  { name: 'arabic price', match: 'exact', keywords: ['السعر'] },
  { name: 'arabic hello', match: 'contains', keywords: ['مرحبا'] },
  { name: 'hebrew', match: 'starts', keywords: ['שלום'] },
  { name: 'chinese', match: 'contains', keywords: ['价格'] },
  { name: 'number', match: 'contains', keywords: ['24'] },
  { name: 'amount', match: 'exact', keywords: ['10.000'] },
  { name: 'signs', match: 'contains', keywords: ['?!'] },
  { name: 'pattern', match: 'contains', keywords: ['a.*b', '(x+x+)+y'] },
  { name: 'half', match: 'exact', keywords: [`rusak${LONE}`] },
  { name: 'joined', match: 'exact', keywords: ['nolspasi'] },
  { name: 'zero width', match: 'exact', keywords: [`nol${ZERO_WIDTH}spasi`] },
  { name: 'turkish', match: 'exact', keywords: ['İSTANBUL'] },
  { name: 'ligature', match: 'contains', keywords: ['ﬁnal'] },
  { name: 'single', match: 'exact', keywords: ['1'] },
  { name: 'last', match: 'contains', keywords: ['alamat', 'promo lama'] },
];

const LONGEST = 65_536;

/** The one table of texts on which `/chatbot/match` and the message path agree: what is written, which rule answers, and to which device if not `main`. */
export const matchTexts: readonly (readonly [text: string, rule: string | null, to?: Line])[] = [
  ['harga', 'price'],
  ['  HARGA ', 'price'],
  ['HaRgA\n', 'price'],
  ['harga?', null],
  ['berapa harga', null],
  ['price list', 'price'],
  ['Price \t\r\n LIST', 'price'],
  ['price\u00a0list', 'price'],
  ['price\u3000list', 'price'],
  ['pricelist', null],
  ['pesan 2 kaos', 'order'],
  ['PESANAN saya', 'order'],
  ['mau pesan', null],
  ['order #12', 'order'],
  ['order 12', null],
  ['promo', null],
  ['promo lama', 'last'],
  ['alamat toko?', 'address'],
  ['alamat toko?', 'branch', 'branch'],
  ['ALAMAT', 'branch', 'branch'],
  ['harga', 'price', 'branch'],
  ['berapa ongkir ke Bandung?', 'postage'],
  ['gratis ongkir', 'postage'],
  ['ongkirnya berapa', null],
  ['nongkir', null],
  ['ongkir_', null],
  ['(ongkir)', 'postage'],
  ['alamat dan ongkir', 'address'],
  ['ongkos kirim dong', 'postage'],
  ['ongkos\u2003kirim', 'postage'],
  ['katalog', 'catalogue'],
  ['Katalog', 'catalogue', 'branch'],
  ['katalog baru', null],
  ['halo', 'wide'],
  ['ＨＡＬＯ', 'wide'],
  ['halo kak', null],
  ['di cafe itu', 'cafe'],
  ['di café itu', 'café'],
  ['di cafe\u0301 itu', 'café'],
  ['Straße 5', 'street'],
  ['STRASSE 5', null],
  ['ok👍ok', 'thumb'],
  ['👍🏽', 'thumb'],
  ['👨‍👩‍👧', 'family'],
  ['👨👩👧', null],
  ['السعر', 'arabic price'],
  ['\u200fالسعر', null],
  ['مرحبا بكم', 'arabic hello'],
  ['ومرحبا', null],
  ['שלום לכם', 'hebrew'],
  ['请问价格 ?', null],
  ['价格', 'chinese'],
  ['buka 24 jam', 'number'],
  ['2024', null],
  ['24/7', 'number'],
  ['10.000', 'amount'],
  ['10,000', null],
  ['apa?!', 'signs'],
  ['axxb', null],
  ['a.*b', 'pattern'],
  ['x'.repeat(5_000), null],
  [`rusak${LONE}`, 'half'],
  ['rusak\ufffd', 'half'],
  [`${LONE}harga`, null],
  ['har\u0000ga', 'price'],
  ['\u0000', null],
  ['nolspasi', 'joined'],
  [`nol${ZERO_WIDTH}spasi`, 'zero width'],
  [`${ZERO_WIDTH}nolspasi`, null],
  ['i̇stanbul', 'turkish'],
  ['istanbul', null],
  ['versi final', 'ligature'],
  ['１', 'single'],
  ['', null],
  [' \u3000\n', null],
  [`${'x'.repeat(LONGEST - 7)} ongkir`, 'postage'],
  [`pesan ${'y '.repeat((LONGEST - 6) / 2)}`, 'order'],
  ['z'.repeat(LONGEST), null],
];
