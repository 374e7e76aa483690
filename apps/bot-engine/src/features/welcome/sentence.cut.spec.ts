import { cutAtSentence } from './sentence.cut';

it.each([
  ['Halo kak! Kami buka 09.00-21.00. Ada yang dicari?', 45, 'Halo kak! Kami buka 09.00-21.00.'],
  ['Halo kak! Harga Rp1.000.000 saja', 25, 'Halo kak!'],
  ['Halo kak selamat datang di toko', 20, 'Halo kak selamat'],
  ['Halo kak selamat datang', 16, 'Halo kak selamat'],
  ['Pendek.', 50, 'Pendek.'],
  ['x'.repeat(60), 50, 'x'.repeat(50)],
  ['👟'.repeat(60), 50, '👟'.repeat(50)],
  ['Halo 👟\ud83d! Ya', 7, 'Halo 👟!'],
])('%j within %i characters is %j', (text, characters, kept) => expect(cutAtSentence(text, characters)).toBe(kept));
