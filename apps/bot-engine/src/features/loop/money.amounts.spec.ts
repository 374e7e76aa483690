import { amountsIn } from './money.amounts';
import { plainText } from './plain.reading';

const values = (text: string) => amountsIn(text).map((amount) => amount.values[0]);

it.each([
  ['Rp250.000', 250_000],
  ['Rp 250.000,-', 250_000],
  ['Rp. 250.000,00', 250_000],
  ['RP250000', 250_000],
  ['IDR 250,000', 250_000],
  ['250.000 rupiah', 250_000],
  ['250.000', 250_000],
  ['250rb', 250_000],
  ['250 ribu', 250_000],
  ['250k', 250_000],
  ['250.5k', 250_500],
  ['1,5 juta', 1_500_000],
  ['1.5jt', 1_500_000],
  ['1jt250rb', 1_250_000],
  ['1 juta 250 ribu', 1_250_000],
  ['Rp1,25 juta', 1_250_000],
  ['seratus ribu', 100_000],
  ['dua ratus lima puluh ribu rupiah', 250_000],
  ['satu juta dua ratus ribu', 1_200_000],
  ['sebelas ribu', 11_000],
  ['dua belas ribu', 12_000],
  ['setengah juta', 500_000],
  ['two hundred and fifty thousand', 250_000],
  ['satu rupiah', 1],
  ['goceng', 5_000],
  ['Rp１．０００', 1_000],
  ['R\u200bp2\u200b5\u00ad0.\u200d000', 250_000],
  ['Rp\n1.000', 1_000],
  ['Rp 1.\n000', 1_000],
  ['Rp 1 000 000', 1_000_000],
  ['Rp 2 5 0 . 0 0 0', 250_000],
  ['250.\n000', 250_000],
  ['R p 1.000', 1_000],
  ['Rр1.000', 1_000],
  ['𝐑𝐩𝟏.𝟎𝟎𝟎', 1_000],
  ['Rp١٬٠٠٠'.replace('٬', '.'), 1_000],
  ['1️⃣0️⃣ ribu', 10_000],
  ['*Rp*250*.000*', 250_000],
  ['harga 1', 1],
  ['harganya sekarang cuma 1 kak', 1],
  ['the price is now 1.', 1],
  ['250000,-', 250_000],
  ['@250000', 250_000],
  ['250000/pcs', 250_000],
  ['Rp0', 0],
  ['250000', 250_000],
  ['100.000 hari ini', 100_000],
  ['cuma 100.000 bulan ini', 100_000],
  ['lima puluh perak', 50],
  ['seratusan ribu', 100_000],
  ['dua ratusan ribu', 200_000],
  ['pesanan Rp1', 1],
  ['ukuran 42 euro 1', 1],
  ['stok 250rb', 250_000],
  ['stok Rp250.000', 250_000],
  ['stok @250.000', 250_000],
  ['Stok lama, 250.000', 250_000],
  ['harga stok lama 250.000', 250_000],
  ['harga stok 250.000', 250_000],
  ['Rp (1)', 1],
  ['Rp ①', 1],
  ['Rp satu', 1],
  ['se ribu', 1_000],
  ['limaribu', 5_000],
  ['duaratuslimapuluhribu', 250_000],
  ['10 K', 10_000],
  ['I.D.R 1', 1],
  ['Rp1.OOO', 1_000],
  ['1.ooo', 1_000],
  ['harganya satu', 1],
  ['cukup bayar 1', 1],
  ['150 (ribu)', 150_000],
  ['150/rb', 150_000],
  ['150 "ribu"', 150_000],
  ['150…ribu', 150_000],
  ['150      ribu', 150_000],
  ['150 rbuan', 150_000],
  ['two thousands', 2_000],
  ['noceng', 2_000],
  ['150 jutа', 150_000_000],
  ['150 гibu', 150_000],
  ['150ʀʙ', 150_000],
  ['١٥٠٬٠٠٠', 150_000],
  ['150·000', 150_000],
  ['🔟 ribu', 10_000],
  ['❶❺⓿rb', 150_000],
])('%j is one amount: %d', (text, value) => {
  expect(values(text)).toEqual([value]);
  expect(values(`Jadi ${text} ya kak`)).toEqual([value]);
});

it.each([
  ['Rp90.000 - Rp250.000', [90_000, 250_000]],
  ['Rp90.000-100.000', [90_000, 100_000]],
  ['200-250 ribu', [200_000, 250_000]],
  ['ukuran 42 Rp250.000, stok 7', [250_000]],
  ['2 x Rp250.000 = Rp500.000', [250_000, 500_000]],
  ['Rp250.000. Ribuan pelanggan puas', [250_000]],
  ['seratus ribu dua pasang', [100_002]],
])('%j holds %j', (text, found) => expect(values(text)).toEqual(found));

it('what a number may also mean is known: of a range, and before a count', () => {
  expect(amountsIn('Rp200-250 ribu')[0]?.values).toContain(200_000);
  expect(amountsIn('seratus ribu dua pasang')[0]?.values).toContain(100_000);
  expect(amountsIn('1.250 juta')[0]?.values).toContain(1_250_000);
  expect(amountsIn('1jt250')[0]?.values).toContain(1_250_000);
});

it.each([
  'stok 7, ukuran 42',
  'stok 42. Ribuan sudah terjual',
  '➊ sepatu ➋ sandal 🔟 tas',
  '42, ribuan pelanggan puas',
  'baterai 10.000 mAh',
  'terjual 2.500 pcs',
  '3 ribu pelanggan',
  'pesanan INV-261120-ABC234',
  'tanggal 20.11.2026 jam 09.00-21.00',
  'telepon 081234567890',
  'diskon 12.500%',
  'ada 2 k',
  'dua pasang',
  'ada 5 orang, no 1 ok',
  'kode pos 40000, tahun 2000, resi 12345000',
  'baterai 5000mAh, terjual 2500 pcs',
  'stok total 3.',
  'ratusan pelanggan, puluhan warna',
  'Cincin Perak 925, ukuran Euro 42',
  'lampu tahan 50.000 jam, isi 1.000 sheets',
  'Stoknya masih 1.250 kak',
  'Stok: 1.250, siap kirim',
  'stok totalnya 12000',
  'stock 1000',
  'Bandung 40115, Jl. Merdeka 1500',
  'sebelum 2026-03-01T10:00:00.000Z',
  'harga satu pasang dan dua pasang',
  'ekspedisi JNT 2 hari',
  'SKU A1.000',
  '',
])('%j holds none', (text) => expect(amountsIn(text)).toEqual([]));

it.each(['1.250 ribu ', '1.250rb', '1.250 juta satu triliun ', 'dua juta '])(
  'a text that repeats %j is read to its end',
  (part) => {
    const text = `Rp ${part.repeat(400)}`;
    const found = amountsIn(text);
    expect(found.at(-1)?.end).toBe(text.trimEnd().length);
    expect(Math.max(...found.map(({ values }) => values.length))).toBeLessThan(200);
  },
);

it('a word that only begins as number words run together is read in no time, and is none', () => {
  const words = `${'seribu'.repeat(1_000)}x`;
  expect(amountsIn(`Rp1 ${words}`).map(({ values }) => values)).toEqual([[1]]);
  expect(amountsIn('seribuan')[0]?.values).toEqual([1_000]);
});

it('a text of characters that stand for sentences is not read many times as long as it is', () =>
  expect(plainText('ﷺ Rp１'.repeat(3))).toBe('ﷺ rp1'.repeat(3)));

it('says where it stands in the original', () => {
  const text = 'Jadi *Rp*１\u200b.０００ kak';
  const [amount] = amountsIn(text);
  expect(text.slice(amount?.start, amount?.end)).toBe('Rp*１\u200b.０００');
});
