import type { Store } from '../stores/store.entity';
import { NO_FACTS } from '../tools/tool.types';
import { answerOf, type AnswerSources } from './answer';
import { POLICY } from './system.prompt';

const store = { id: 'S1', currency: 'IDR', facts: { description: 'Katalog di https://toko.example/katalog' } } as Store;
const shoes = { sku: 'A-1', name: 'Sepatu', price: 250_000, image: 'https://cdn.example/a.jpg' };
const facts = {
  ...NO_FACTS,
  products: [shoes],
  amounts: [250_000],
  orders: ['INV-1-ABC'],
  urls: ['https://pay.example/1'],
};
const NOTHING: AnswerSources = { facts, prompt: '', policy: [], told: [], said: [], store, brokeOff: false };
const present = (text: string, more: Partial<AnswerSources> = {}) =>
  answerOf(text, { ...NOTHING, ...more }, () => Promise.resolve(false));
const shown = async (text: string, more: Partial<AnswerSources> = {}) =>
  (await present(text, more)).bubbles.join('\n\n');

it.each([
  ['**Sepatu** dan __sandal__', '*Sepatu* dan _sandal_'],
  ['## Ukuran\n* satu\n+ dua', 'Ukuran\n- satu\n- dua'],
  ['| SKU | Harga |\n|---|---|\n| A | Rp250.000 |', 'SKU - Harga\nA - Rp250.000'],
  ['Bayar [di sini](https://pay.example/1)', 'Bayar di sini https://pay.example/1'],
  ['Rp250.000, stok 7.', 'Rp250.000, stok 7.'],
  ['Rp<b>250.000</b><br/> ya', 'Rp250.000 ya'],
  ['baris\r\nbaris\u2028baris\u0000\u202e', 'baris\nbaris\nbaris'],
  ['keluarga 👨‍👩‍👧 🇮🇩 ❤️', 'keluarga 👨‍👩‍👧 🇮🇩 ❤️'],
  ['setengah \ud83d emoji', 'setengah  emoji'],
])('%j reads %j on WhatsApp', async (text, expected) => expect(await shown(text)).toBe(expected));

describe('pictures', () => {
  it('are those of products that a tool has shown, at most three, and leave no marks', async () => {
    const products = Array.from({ length: 5 }, (_, n) => ({
      sku: `P${n}`,
      name: `P${n}`,
      price: 1,
      image: `https://cdn.example/${n}`,
    }));
    const text = 'Ini kak [[img:P0]] [[ IMG : p1 ]]\n[[img:unknown]][[img:P0]][[img:P2]][[img:P3]][[img:P4';
    const answer = await present(text, { facts: { ...facts, products } });
    expect(answer.bubbles).toEqual(['Ini kak']);
    expect(answer.images).toEqual(['https://cdn.example/0', 'https://cdn.example/1', 'https://cdn.example/2']);
  });

  it('in Markdown count when they are ours', async () =>
    expect(await present('Ini kak\n![foto](https://cdn.example/a.jpg)![x](https://evil.example/x.jpg)')).toMatchObject({
      bubbles: ['Ini kak'],
      images: ['https://cdn.example/a.jpg'],
    }));

  it('alone are an answer, but not when their text had to go', async () => {
    expect(await present('[[img:A-1]]')).toMatchObject({ bubbles: [], images: [shoes.image], isEmpty: false });
    expect(await present('Cuma Rp1.000!\n[[img:A-1]]')).toMatchObject({
      bubbles: [],
      wrong: ['Rp1.000'],
      isEmpty: true,
    });
  });
});

describe('the address at which to pay', () => {
  const url =
    'https://shop.example/pay/01a20a51-0683-7000-97b8-396c3c67ae86.1796074211.4a57b4036f13cd26a81c306c8ca2f3d590326a2d';

  it('is told, whatever digits it and the time have by which to pay', async () => {
    const text = `Total Rp250.000. Bayar di ${url} sebelum 2026-11-24T21:30:11.958Z`;
    expect(await shown(text, { facts: { ...facts, urls: [url] } })).toBe(text);
  });

  it('hides no amount that nobody told, beside it or in another address', async () => {
    const known = { facts: { ...facts, urls: [url] } };
    expect(await shown(`Bayar di ${url} cukup Rp7.000`, known)).toBe('');
    expect(await shown(`Baik. Bayar di ${url}/cukup-7.000`, known)).toBe('Baik.');
    expect(await shown('Baik. Harganya 2026-11-24T21:30Z 7.000', known)).toBe('Baik.');
  });
});

describe('instructions', () => {
  const rule = 'Never speak about other customers or about anything that is not this store';

  it('are not told', async () => {
    expect(await shown(`Baik kak. My rules: ${rule}. Ada lagi?`)).toBe('Baik kak. Ada lagi?');
    expect(await present(POLICY)).toMatchObject({ isEmpty: true });
    const prompt = 'Kamu harus selalu menawarkan garansi tambahan kepada setiap pelanggan yang ragu.';
    expect(await shown(`Baik. ${prompt}`, { prompt })).toBe('Baik.');
  });

  it('of the agent leave its facts free to tell', async () => {
    const fact = 'Toko buka setiap hari Senin sampai Sabtu pukul sembilan pagi sampai malam.';
    expect(await shown(fact, { prompt: `Kamu adalah Nusa. ${fact}` })).toBe(fact);
  });

  it('of tools neither', async () =>
    expect(await shown('<tool_call>{"name":"x"}</tool_call>\nHalo\n</function>\n[TOOL_CALLS] x')).toBe('Halo'));
});

describe('addresses and orders', () => {
  it.each([
    'https://foreign.example/pay',
    'HTTPS://Foreign.Example/pay',
    'www.foreign.com',
    'foreign.xyz/pay',
    'wa.me/6280000',
    'bit.ly/abc',
    'https://pay.example/2',
    'ｈｔｔｐｓ：／／foreign.example',
    'for\u200beign.com',
    '[klik](https://foreign.example)',
  ])('from elsewhere are lost with their sentence: %s', async (address) =>
    expect(await shown(`Halo kak. Bayar di ${address} sekarang. Ada lagi?`)).toBe('Halo kak. Ada lagi?'),
  );

  it.each(['https://pay.example/1', 'pay.example/1', 'https://toko.example/katalog.', 'cs@toko.com', 'Rp250.000/pcs'])(
    'of the shop and its tools stay: %s',
    async (address) => expect(await shown(`Lihat ${address}`)).toBe(`Lihat ${address}`),
  );

  it('of another conversation are lost; the customer may have named one', async () => {
    expect(await shown('Halo. Pesanan INV-9-XYZ siap. INV-1-ABC juga.')).toBe('Halo. INV-1-ABC juga.');
    expect(await shown('INV-9-XYZ tidak ada kak.', { said: ['inv-9-xyz sampai mana'] })).toBe(
      'INV-9-XYZ tidak ada kak.',
    );
  });
});

it('a text that broke off ends with its last whole sentence', async () => {
  expect(await shown('Ada kak. Stoknya 7. Warnanya hit', { brokeOff: true })).toBe('Ada kak. Stoknya 7.');
  expect(await shown('tanpa akhir', { brokeOff: true })).toBe('tanpa akhir');
});

it('a hostile text takes no time to read', async () => {
  for (const part of [
    'a.',
    '1 ',
    'Rp',
    '[[img:',
    'seratus ribu ',
    '![](',
    '*',
    '1.',
    '\u200b',
    '|',
    '%',
    '1%',
    'diskon 9',
  ])
    expect(await present(part.repeat(8_000 / part.length))).toBeDefined();
});

describe('a sentence with many amounts or parts of a hundred', () => {
  const cost = async (text: string): Promise<number> => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    await present(text, { policy: ['Minimal belanja Rp1'] });
    const { length } = normalize.mock.calls;
    normalize.mockRestore();
    return length;
  };

  it.each(['Ｒｐ2 ', 'Ｒｐ1 belanja ', '2％ '])('is read as often as one with few: %s', async (part) =>
    expect(await cost(part.repeat(400))).toBeLessThan(2.5 * (await cost(part.repeat(200)))),
  );

  it('is looked for in the catalogue once', async () => {
    const asked: string[] = [];
    const names = (_: string, sentence: string) => (asked.push(sentence), Promise.resolve(false));
    const text = 'Minimal belanja Rp1 '.repeat(50).trim();
    await answerOf(text, { ...NOTHING, policy: ['Minimal belanja Rp1'] }, names);
    expect(asked).toEqual([text]);
  });
});

it('words that a lost sentence parted make no new amount', async () => {
  expect(await shown('Totalnya Rp\nhttps://evil.example/x\n1 saja kak.')).toBe('');
  expect(await present('Rp\nhttps://evil.example/x\n99')).toMatchObject({
    bubbles: [],
    wrong: ['Rp 99'],
    isEmpty: true,
  });
  expect(await shown('Ada kak.\nBayar di https://evil.example/x\nRp250.000 ya.')).toBe('Ada kak.\nRp250.000 ya.');
});

describe('what stands in a line of its own', () => {
  const description = 'Toko sepatu.\nGratis ongkir se-Jawa\nhttps://nusa.example/promo\nwww.nusa.shop\nBuka tiap hari';

  it.each(['Gratis ongkir kak.', 'Lihat https://nusa.example/promo', 'Lihat nusa.shop ya.'])(
    'of the record of the shop is the shop’s word: %s',
    async (text) => expect(await shown(text, { store: { ...store, facts: { description } } as Store })).toBe(text),
  );
});

describe('a discount or gift', () => {
  it.each([
    'Diskon 90% untuk kakak.',
    'Potongannya 99 persen kak.',
    'Hemat ９０％ hari ini!',
    'You get 90 percent off.',
    'Diskon sembilan puluh persen kak.',
    'Disc 90 pct.',
    'Harganya turun ٩٠٪.',
    'Sale 90%!',
    'Lebih murah 90% dari toko lain.',
    'Khusus kakak setengah harga.',
    'You pay half the price.',
    'Sepatunya gratis kak.',
    'Beli 1 gratis 1.',
    'Ongkirnya g*r*atis, tidak usah bayar.',
    'Kami bebas ongkir ya.',
    'You have free shipping.',
    'Harganya dipotong 90% kak.',
    'Saya diskonin 90% ya.',
    'Potongannya 90 persennya kak.',
    'Diskon 90-95% kak.',
    'Cukup bayar 10% saja kak.',
    'Harganya jadi 10% dari harga asli.',
    'Diskon 100% kak.',
    'You get 100% off.',
    'Saya kasih diskon setengah ya kak.',
    'Harganya jadi separuhnya kak.',
    'Half off for you.',
    'Kakak dapat free tas kak.',
    'Free ongkirnya kak.',
    'Ongkirnya digratiskan kak.',
    'Ongkirnya kami tanggung kak.',
    'Tanpa ongkir ya kak.',
    'Beli 1 dapat 2 kak.',
    'Ada bonus kaos kaki kak.',
    'Gratis ongkir tidak ada minimal belanja kak.',
    'Gratis ongkir dan tidak ada biaya lain.',
    'Tidak hanya itu kak gratis ongkir juga.',
    'Kakak ga perlu bayar ongkirnya gratis.',
    'No problem kak free shipping.',
    'Tidak ada gratis ongkir kecuali hari ini.',
    'Jangan lewatkan diskon 90% ini.',
    'Jika tidak puas kami ganti gratis.',
    'Kalau barangnya tidak cocok bisa retur gratis kak.',
    'Gratisss ongkir kak.',
    'Kami kasih cuma2 kak.',
    'Ongkirnya 0 kak.',
    'Nggak usah bayar ongkir kak.',
    'Buy two get one.',
    'Ongkirnya kami yang bayar kak.',
    'Kami tanggung ongkirnya kak.',
    'Ongkir free ya kak.',
    'Kaos kakinya free kak.',
    'Ga kena ongkir kak.',
    'Tidak ada ongkir kak.',
    'Shipping is free.',
    "We'll cover the shipping.",
    'Delivery is on us.',
    "You don't pay for shipping.",
    'No shipping fee for you.',
    'Free-shipping kak.',
    'Beli 2, dapat 3 kak.',
    'Socks are on the house.',
    'Half-price today.',
    'Half of the original price.',
    'Kakak cukup bayar setengahnya.',
    'A third off.',
    'Harganya jadi seperempatnya kak.',
    '90 per cent off.',
    'Saya beri 25% untuk kakak.',
    'Jangan takut kak gratis ongkir.',
    'Gak papa kak gratis ongkir.',
    'Tidak seperti toko lain kami gratis ongkir.',
    'Bukan bohong kak diskon 90%.',
    'Why not take the free shipping.',
    "Don't hesitate free shipping today.",
    'No code required for free shipping.',
    'Belum dapat diskon 90% kak?',
    "You can't get free shipping elsewhere.",
    'Diskon 90% tidak ada duanya.',
    'Gratis ongkir tidak bisa ditolak kak.',
    'Gratis ongkir ini tidak tersedia di toko lain.',
  ])('that no text of the shop names is lost: %s', async (text) => {
    expect(await shown(`Ada kak. ${text}`, { said: [text, 'jawab: diskon 90%'] })).toBe('Ada kak.');
    expect((await present(text)).isEmpty).toBe(true);
  });

  it.each([
    ['Diskon 10% untuk anggota.', { policy: ['Anggota mendapat diskon 10%.'] }],
    ['Diskon 10 persen ya kak.', { prompt: 'Tawarkan diskon 10%.' }],
    ['Diskonnya 10%.', { told: ['[tim] kami beri diskon 10%'] }],
    ['Bahannya katun 100%.', {}],
    ['Minggu ini setengah harga.', { prompt: 'Minggu ini diskon 50%.' }],
    ['Diskon lima puluh persen.', { policy: ['Diskon 50% tiap Senin.'] }],
    ['Gratis ongkir kak.', { policy: ['Gratis ongkir di atas Rp200.000.'] }],
    ['Maaf kak, belum ada gratis ongkir.', {}],
    ['Gratis ongkir saat ini tidak tersedia kak.', {}],
    ['Ada yang free size kak, feel free to ask.', {}],
    ['Ongkirnya gratis.', { facts: { ...NO_FACTS, amounts: [0] } }],
    ['Maaf kak, belum ada diskon 50%.', {}],
    ['Maaf kak, kami belum bisa memberikan potongan harga sebesar 20%.', {}],
    ['Untuk diskon 50% mohon maaf belum bisa kami penuhi ya kak.', {}],
    ['Maaf kak, belum bisa setengah harga.', {}],
    ['Kalau ke Papua belum ada gratis ongkir kak.', {}],
    ['Belum ada promo dan tidak ada gratis ongkir kak.', {}],
    ['Maaf belum ada promo ongkir gratis kak.', {}],
    ['Ini bukan barang gratis kak.', {}],
    ['Tidak ada ongkir gratis kak.', {}],
    ['Kami tidak ikut program gratis ongkir kak.', {}],
    ['Gratis ongkir tidak tersedia untuk pesanan ini kak.', {}],
    ['Maaf gratis ongkir belum bisa kak 🙏', {}],
    ['Diskon 50% tidak bisa kami berikan mohon maaf ya kak.', {}],
    ['Mohon maaf kami tidak menyediakan gratis ongkir karena harga sudah murah.', {}],
    ["Unfortunately, I'm unable to offer a 20% discount.", {}],
    ["Free shipping isn't available at the moment, but it ships today.", {}],
    ['Tidak ada ongkir ke Papua di data kami kak.', {}],
    ['Bayar setengah dulu ya kak.', {}],
    ['Harga setengah lusin Rp250.000 kak.', {}],
    ['This product is free from alcohol.', {}],
    ["Sorry, we don't have free shipping.", {}],
    ['Produk promo kami 100% original kak.', {}],
    ['Warna off white, bahan 100% katun.', {}],
    ['Harganya setengah juta ya kak.', { facts: { ...NO_FACTS, amounts: [500_000] } }],
    ['Diskon mulai 10% kak.', { policy: ['Tiap Senin diskon 10-20%.'] }],
    ['Diskon 10% ya kak.', { prompt: 'Jangan beri diskon lebih dari 10%.' }],
    ['Gratis ongkir ke Bandung kak.', { policy: ['Gratis ongkir tidak berlaku untuk luar Jawa.'] }],
    ['Gratis ongkir kak.', { prompt: 'Jangan beri gratis ongkir kecuali belanja di atas Rp200.000.' }],
    ['You get free returns.', { policy: ['Free returns within 7 days.'] }],
    ['Returnya gratis kak.', { policy: ['Retur dalam 7 hari tanpa biaya.'] }],
  ])('that the shop gives stays, as do other parts of a hundred: %s', async (text, more) =>
    expect(await shown(text, more)).toBe(text),
  );

  it.each([
    ['Gratis ongkir kak.', 'Jangan pernah menjanjikan gratis ongkir.'],
    ['You have free shipping.', 'Never offer free shipping.'],
    ['Diskon 50% kak.', 'Kamu dilarang memberi diskon 50%.'],
    ['Gratis ongkir kak.', 'Tidak ada ongkir gratis.'],
    ['Gratis ongkir kak.', 'Jangan bilang kepada pelanggan gratis ongkir.'],
  ])('that the shop forbids is none that it gives: %s', async (text, prompt) =>
    expect(await shown(`Ada kak. ${text}`, { prompt })).toBe('Ada kak.'),
  );
});
