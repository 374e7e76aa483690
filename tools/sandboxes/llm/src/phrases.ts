/** Every sentence that the sandbox can say. Facts come from tool results and the system prompt, and are never invented. */
export interface Phrases {
  readonly greeting: (store?: string, hours?: string, customer?: string) => string;
  readonly help: string;
  readonly unknown: string;
  readonly thanks: string;
  readonly sorry: string;
  readonly notFound: string;
  readonly handover: string;
  readonly which: string;
  readonly askCity: string;
  readonly askOrder: string;
  readonly askWaybill: string;
  readonly askDetails: (missing: readonly string[]) => string;
  readonly details: { readonly customerName: string; readonly address: string; readonly destination: string };
  readonly found: string;
  readonly stock: string;
  readonly soldOut: string;
  readonly endless: string;
  readonly shipping: string;
  readonly choose: string;
  readonly confirm: string;
  readonly processing: string;
  readonly ordered: (order: string) => string;
  readonly pay: string;
  readonly before: string;
  readonly subtotal: string;
  readonly payment: string;
  readonly states: Readonly<Record<string, string>>;
  readonly waybill: string;
  readonly picture: string;
}

const id: Phrases = {
  greeting: (store, hours, customer) =>
    [
      `Halo kak${customer ? ` ${customer}` : ''}, selamat datang${store ? ` di ${store}` : ''}!`,
      hours && `Kami buka ${hours}.`,
      'Ada yang bisa kami bantu?',
    ]
      .filter(Boolean)
      .join(' '),
  help: 'Ada yang bisa kami bantu, kak? Kakak bisa tanya produk, stok, ongkir atau pesanan.',
  unknown: 'Maaf kak, informasi itu belum ada pada kami. Ada lagi yang bisa kami bantu?',
  thanks: 'Sama-sama kak, senang bisa membantu.',
  sorry: 'Maaf kak, datanya belum bisa kami cek sekarang. Mau kami sambungkan ke tim kami?',
  notFound: 'Maaf kak, produk itu belum kami temukan. Boleh sebutkan nama produk lainnya?',
  handover: 'Baik kak, kami sambungkan ke tim kami ya.',
  which: 'Produk yang mana ya kak?',
  askCity: 'Mau dikirim ke kota mana ya kak?',
  askOrder: 'Boleh sebutkan nomor pesanannya, kak?',
  askWaybill: 'Boleh sebutkan nomor resinya, kak?',
  askDetails: (missing) =>
    `Siap kak, boleh kirim ${missing.join(', ')} penerimanya? Contoh: nama Budi, alamat Jl. Merdeka 1, kota Bandung.`,
  details: { customerName: 'nama', address: 'alamat', destination: 'kota' },
  found: 'Ada kak',
  stock: 'stok',
  soldOut: 'habis',
  endless: 'ada',
  shipping: 'Ongkir kak',
  choose: 'Tujuannya yang mana ya kak?',
  confirm: 'Balas "ya" untuk melanjutkan.',
  processing: 'Pesanan kakak sedang diproses, tautan pembayaran menyusul ya.',
  ordered: (order) => `Pesanan ${order} sudah dibuat`,
  pay: 'Bayar di',
  before: 'sebelum',
  subtotal: 'Ringkasan pesanan',
  payment: 'Status pembayaran',
  states: { paid: 'sudah lunas', pending: 'menunggu pembayaran', expired: 'kedaluwarsa', cancelled: 'dibatalkan' },
  waybill: 'Resi',
  picture: 'Gambar',
};

const en: Phrases = {
  greeting: (store, hours, customer) =>
    [
      `Hello${customer ? ` ${customer}` : ''}, welcome${store ? ` to ${store}` : ''}!`,
      hours && `We are open ${hours}.`,
      'How can we help?',
    ]
      .filter(Boolean)
      .join(' '),
  help: 'How can we help? You can ask about products, stock, shipping or your order.',
  unknown: 'Sorry, we do not have that information. Is there anything else we can help with?',
  thanks: 'You are welcome, happy to help.',
  sorry: 'Sorry, we cannot check that right now. Shall we connect you to our team?',
  notFound: 'Sorry, we could not find that product. Could you give us another name?',
  handover: 'All right, we are connecting you to our team.',
  which: 'Which product do you mean?',
  askCity: 'Which city should we ship to?',
  askOrder: 'Could you tell us the order number?',
  askWaybill: 'Could you tell us the tracking number?',
  askDetails: (missing) =>
    `Sure, could you send the ${missing.join(', ')} of the recipient? Example: name Budi, address Jl. Merdeka 1, city Bandung.`,
  details: { customerName: 'name', address: 'address', destination: 'city' },
  found: 'Yes, we have',
  stock: 'stock',
  soldOut: 'sold out',
  endless: 'available',
  shipping: 'Shipping',
  choose: 'Which destination do you mean?',
  confirm: 'Reply "yes" to continue.',
  processing: 'Your order is being processed, the payment link will follow.',
  ordered: (order) => `Order ${order} has been placed`,
  pay: 'Pay at',
  before: 'before',
  subtotal: 'Order summary',
  payment: 'Payment status of',
  states: { paid: 'paid', pending: 'waiting for payment', expired: 'expired', cancelled: 'cancelled' },
  waybill: 'Waybill',
  picture: 'Picture',
};

export const phrases = { id, en } as const;

const ENGLISH =
  /\b(?:the|is|are|do|does|you|your|have|hello|what|where|when|how|much|please|english|language: en|want|buy|thanks|ship|yes|human)\b/i;
const INDONESIAN = /\b(?:kak|ada|yang|ke|saya|mau|berapa|dong|apa|apakah|bisa|halo|ya|iya)\b/i;

export const speaksEnglish = (text: string): boolean => ENGLISH.test(text) && !INDONESIAN.test(text);
