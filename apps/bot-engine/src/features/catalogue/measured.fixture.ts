import type { CatalogueRow } from '../../clients/commerce.client';

const CATEGORIES = (
  'sepatu lari, sepatu futsal, sandal jepit, kaos polos, kemeja flanel, celana jeans, jaket hoodie, gamis syari, ' +
  'kerudung segi empat, tas ransel, dompet kulit, jam tangan digital, botol minum, blender mini, setrika uap, ' +
  'panci anti lengket, sarung bantal, sprei katun, kopi bubuk arabika, keripik singkong pedas, sambal bawang, madu hutan, ' +
  'minyak kayu putih, sabun muka, tabir surya, lipstik matte, mainan edukasi, popok bayi, casing hp, kabel charger cepat, ' +
  'power bank, earphone bluetooth, lampu tidur, kursi lipat, rak dinding'
).split(', ');
const COLOURS = 'hitam, putih, merah, biru dongker, abu-abu, hijau army, coklat, krem, navy, pink'.split(', ');
const BRANDS = 'Nusa, Lumba, Merapi, Sriti, Kencana, Rinjani'.split(', ');
const SEGMENTS = 'Pria, Wanita, Anak, Dewasa'.split(', ');
const FILLER = [
  'Bahan pilihan dengan jahitan rapi. Dikirim setiap hari kerja dari gudang kami.',
  'Garansi toko tujuh hari. Cocok untuk dipakai sehari-hari di rumah atau di luar.',
];

const titled = (text: string): string => text.replace(/\b\p{L}/gu, (letter) => letter.toUpperCase());
const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** The `n`-th product of the measurement in design 3.9: `<Category> <Brand> <Segment> <Colour> <Size>`. */
export const measuredProduct = (n: number): CatalogueRow => {
  const category = at(CATEGORIES, n);
  const round = Math.floor(n / CATEGORIES.length);
  const colour = at(COLOURS, round);
  const brand = at(BRANDS, Math.floor(round / COLOURS.length) + n);
  const segment = at(SEGMENTS, round + n);
  const size = 36 + (n % 9);
  const sku = `P-${String(n).padStart(6, '0')}`;
  return {
    ...{ sku, productId: `product-${n}`, variantId: `variant-${n}` },
    name: titled(`${category} ${brand} ${segment} ${colour} ${size}`),
    category,
    description: `${category} ${segment.toLowerCase()} warna ${colour} merek ${brand}. ${FILLER.join(' ')}`,
    ...{ price: 10_000 + n, stock: n % 20, image: null, url: null, status: 'active' },
    updatedAt: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString(),
  };
};

/** Category and, where the customer names one, colour of the best hit, and what customers wrote. */
export const MEASURED_QUERIES: readonly (readonly [category: string, query: string, colour?: string])[] = [
  ['sepatu lari', 'kak ada sepatu lari warna hitam?', 'hitam'],
  ['sepatu lari', 'spatu lari itm ukuran 42 ready?', 'hitam'],
  ['kaos polos', 'mau cari kaos polos putih dong', 'putih'],
  ['kaos polos', 'kaos plos putih ready ga', 'putih'],
  ['jaket hoodie', 'apakah hoodienya masih ada warna navy', 'navy'],
  ['jaket hoodie', 'hodie navy brp kak', 'navy'],
  ['jam tangan digital', 'jam tangan digital hitam harganya berapa', 'hitam'],
  ['jam tangan digital', 'jm tangan digtal itam', 'hitam'],
  ['dompet kulit', 'dompet kulit coklat pria', 'coklat'],
  ['dompet kulit', 'dompetnya yg coklat masih ada?', 'coklat'],
  ['tas ransel', 'tas ransel abu abu', 'abu-abu'],
  ['tas ransel', 'tas rangsel hitam', 'hitam'],
  ['power bank', 'power bank merah', 'merah'],
  ['power bank', 'powerbank merah ada?', 'merah'],
  ['kabel charger cepat', 'kabel cas cepat putih', 'putih'],
  ['kabel charger cepat', 'kabel charger hp putih', 'putih'],
  ['keripik singkong pedas', 'keripik singkong pedas'],
  ['keripik singkong pedas', 'kripik singkong yg pedes'],
  ['kopi bubuk arabika', 'kopi arabika bubuk'],
  ['kopi bubuk arabika', 'kopi arabica'],
  ['popok bayi', 'popok buat bayi'],
  ['popok bayi', 'pampers bayi'],
  ['tabir surya', 'sunscreen'],
  ['tabir surya', 'tabir surya'],
  ['kerudung segi empat', 'jilbab segi empat pink', 'pink'],
  ['kerudung segi empat', 'kerudung segiempat pink', 'pink'],
  ['gamis syari', "gamis syar'i hitam", 'hitam'],
  ['setrika uap', 'setrikaan uap'],
  ['panci anti lengket', 'panci antilengket'],
  ['panci anti lengket', 'wajan anti lengket'],
  ['sprei katun', 'seprai katun'],
  ['sprei katun', 'sprei katun putih', 'putih'],
  ['mainan edukasi', 'mainan edukasi anak'],
  ['mainan edukasi', 'mainannya anak yg edukatif'],
  ['earphone bluetooth', 'earphone bluetooth hitam', 'hitam'],
  ['earphone bluetooth', 'headset bluetooth hitam', 'hitam'],
  ['celana jeans', 'celana jeans biru', 'biru'],
  ['celana jeans', 'jins biru dongker wanita', 'biru'],
  ['lampu tidur', 'lampu tidur'],
  ['sabun muka', 'sabun cuci muka pria'],
];
