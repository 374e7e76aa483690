/** Words that say whether a number is an amount of money, in Indonesian and English. */
export const CURRENCIES: Readonly<Record<string, string>> = {
  rp: 'IDR',
  idr: 'IDR',
  rupiah: 'IDR',
  rupiahnya: 'IDR',
  perak: 'IDR',
  rm: 'MYR',
  myr: 'MYR',
  ringgit: 'MYR',
  sgd: 'SGD',
  usd: 'USD',
  dollar: '$',
  dollars: '$',
  dolar: '$',
  bucks: '$',
  $: '$',
  '€': 'EUR',
  euro: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  '¥': 'JPY',
  yen: 'JPY',
  baht: 'THB',
};
/** Silver, where a number stands behind it: `perak 925`. */
export const ONLY_BEHIND = new Set(['perak', 'bucks']);
export const SPELLED = ['rp', 'idr'];
/** What is counted or measured, not paid. */
export const MEASURES = new Set(
  (
    'pcs pc buah biji pasang unit lembar lusin kodi pack box dus botol sachet gram gr kg ons ton ml liter ltr cc cm mm meter km ' +
    'inch inci mah wh watt volt va hz mhz ghz gb tb mb dpi rpm lumen btu psi orang pelanggan pembeli ulasan terjual kali hari ' +
    'menit tahun bulan poin point points follower followers halaman karakter kata langkah item items produk stok pieces pairs ' +
    'jam sheet sheets lumens lux butir tablet kapsul porsi tetes siklus sold people customers reviews times days hours steps kkal kalori calories iu mg mcg %'
  ).split(' '),
);
/** With `ini` behind them they say when: `100.000 hari ini`. */
export const TIMES = new Set(['hari', 'bulan', 'tahun', 'minggu', 'kali', 'menit', 'jam']);
export const GLUED_MEASURES = new Set(['g', 'l', 'm', 'v', 'w']);
/** Of amounts that are made of several: a small number behind it counts goods. */
export const TOTAL_WORD = /^(?:(?:sub)?total|ongkir|ongkos|biaya|tagihan)(?:nya)?$/;
export const LEAST_TOTAL = 100;
export const PRICE_WORD = /^(?:harga|hrg|seharga|price[ds]?|costs?|bayar|dibayar|pay)(?:nya)?$/;
export const STOCK = /^(?:stok|stock)(?:nya)?$/;
export const OF_STOCK = /^(?:masih|ada|tinggal|tersedia|sisa|total|totalnya)$/;
export const SIZE = /^(?:ukuran|size|nomor|nomer|no)(?:nya)?$/;
/** What follows is a number by which something is known. */
export const NUMBERED =
  /^(?:tahun|year|no|nomor|nomer|kode|pos|resi|id|order|pesanan|ukuran|size|seri|tipe|type|model|jam|pin|otp|wa|telp|hp)$/;
export const FILLER =
  /^(?:sekarang|cuma|hanya|jadi|menjadi|adalah|is|now|only|just|at|nya|ini|itu|it|was|the|saja|aja|tinggal|baru|barunya|spesial|khusus|promo|diskon|akhir|akhirnya|normal|awal|total|semua|untuk|buat|kak|kakak|kamu|anda|special|new|final|your|for|you)$/;
export const CLOSING = /^(?:kak|kakak|ya|saja|aja|only|doang|per|dong|sih|each|now|sekarang|gan|sis|min)$/;
