import type { Store } from '../stores/store.entity';
import { NO_FACTS, type ConversationFacts } from '../tools/tool.types';
import { answerOf, type AnswerSources, type NamesProduct } from './answer';
import { amountsIn } from './money.amounts';
import { notations, randomNumbers } from './notations.fixture';

const store = { id: 'S1', currency: 'IDR', facts: {} } as Store;
const product = (name: string, price: number) => ({ sku: name.toUpperCase().replaceAll(' ', '-'), name, price });
const SHOES = product('Sepatu Lari Nusa Hitam 42', 250_000);
const BANK = product('Power Bank 10.000 mAh', 175_000);

const known = (...amounts: number[]): ConversationFacts => ({ ...NO_FACTS, products: [SHOES, BANK], amounts });
const nobody: NamesProduct = () => Promise.resolve(false);
const read = async (text: string, more: Partial<AnswerSources> = {}, names = nobody) => {
  const sources = { facts: known(), prompt: '', policy: [], told: [], said: [], store, brokeOff: false, ...more };
  const { bubbles, wrong } = await answerOf(text, sources, names);
  return { text: bubbles.join('\n\n'), wrong };
};

/** A price as shops have them, from 500 to 50 million. */
const someAmount = (random: () => number): number => {
  const size = 10 ** (3 + Math.floor(random() * 4));
  return Math.max(1, Math.round(random() * 50)) * size * (random() < 0.2 ? 0.5 : 1);
};

const SENTENCES: readonly ((amount: string, name: string) => string)[] = [
  (amount, name) => `Ada kak, ${name} ${amount}, stok 7.`,
  (amount, name) => `${name} harganya ${amount} ya kak 😊`,
  (amount, name) => `- ${name}: ${amount} (stok 12)`,
  (amount) => `Totalnya ${amount}.`,
  (amount) => `Ongkirnya ${amount} untuk 2 pcs ke Bandung, sampai 2-3 hari.`,
  (amount) => `Subtotal ${amount}, silakan balas "ya" untuk lanjut.`,
  (amount, name) => `Untuk ukuran 42, ${name} ${amount} per pasang!`,
];

const generated = Array.from({ length: 200 }, (_, n) => {
  const random = randomNumbers(n + 1);
  const amount = someAmount(random);
  const ways = Object.entries(notations).flatMap(([way, write]) => {
    const written = write(amount);
    return written ? [{ way, written }] : [];
  });
  const { way, written } = ways[n % ways.length] as { way: string; written: string };
  const sentence = SENTENCES[n % SENTENCES.length] as (typeof SENTENCES)[number];
  return { n, way, amount, text: sentence(written, SHOES.name), written };
});

it('all notations are among the generated answers', () =>
  expect(new Set(generated.map(({ way }) => way))).toEqual(new Set(Object.keys(notations))));

it.each(generated)('answer $n with a true amount ($way) is untouched: $text', async ({ amount, text }) =>
  expect(await read(text, { facts: known(amount) })).toEqual({
    text: text.replace(/[\u200b\u2060]/g, ''),
    wrong: [],
  }),
);

it.each(generated)(
  'answer $n with an amount that nobody told ($way) loses it: $text',
  async ({ amount, text, written }) => {
    const facts = { ...known(amount + 500, amount * 2, 7, 42, 12), products: [{ ...SHOES, price: null }] };
    const answer = await read(`Halo kak.\n${text}\nAda lagi?`, { facts });
    expect(answer.text).not.toContain(written);
    expect(amountsIn(answer.text).flatMap(({ values }) => values)).not.toContain(amount);
    expect(answer.text).toMatch(/^Halo kak\.[^]*Ada lagi\?$/);
    expect(answer.wrong.length).toBeGreaterThan(0);
  },
);

describe('what the model computes itself is not true', () => {
  it.each([
    ['Dua pasang Rp500.000.', [250_000]],
    ['Setelah diskon 10% jadi Rp225.000.', [250_000]],
    ['Sekitar 249 ribuan.', [249_500]],
    ['Rp249.999,50 saja.', [249_999, 250_000]],
    ['Antara Rp200.000 sampai Rp250.000.', [250_000]],
    ['Antara 200-250 ribu.', [250_000]],
    ['Rp250.000 + Rp15.000 = Rp265.000.', [250_000, 15_000]],
    ['Per item Rp83.333.', [250_000]],
    ['USD 250,000.', [250_000]],
    ['$250.000', [250_000]],
  ])('%s', async (text, amounts) =>
    expect((await read(`Halo. ${text}`, { facts: known(...amounts) })).text).toBe('Halo.'),
  );

  it.each([
    ['Antara Rp90.000 sampai Rp250.000.', [90_000, 250_000]],
    ['Rp250.000 + Rp15.000 = Rp265.000.', [250_000, 15_000, 265_000]],
    ['Hemat Rp25.000, jadi 225 ribu.', [25_000, 225_000]],
  ])('unless a tool has: %s', async (text, amounts) =>
    expect((await read(text, { facts: known(...amounts) })).text).toBe(text),
  );
});

describe('amounts of the shop and of the customer', () => {
  const SHIPPING = 'Gratis ongkir untuk belanja di atas Rp200.000.';

  it('count in a sentence about no product', async () => {
    expect((await read(SHIPPING, { policy: [SHIPPING] })).text).toBe(SHIPPING);
    expect((await read(SHIPPING, { prompt: SHIPPING })).text).toBe(SHIPPING);
    expect((await read(SHIPPING, { told: [SHIPPING] })).text).toBe(SHIPPING);
    expect((await read('Budget kakak 300 ribu ya.', { said: ['budget Rp300.000'] })).text).toBe(
      'Budget kakak 300 ribu ya.',
    );
    expect((await read('Les privat Rp150.000 per jam.', { policy: ['Les privat: 150rb'] })).text).not.toBe('');
  });

  it.each([
    'Sepatu Lari cuma Rp1 kak.',
    'Harga sepatu Rp1.',
    'Harganya sekarang Rp1.',
    'The price is now Rp1.',
    'Betul kak, sekarang Rp1 saja.',
    'Sekarang jadi Rp1 untuk semua produk.',
    'Kakak cukup bayar Rp1 saja.',
    'Saya lepas Rp1 per pasang.',
    'Silakan transfer Rp1 ya kak.',
    'Setelah diskon kena Rp1.',
    'You can get it for Rp1.',
    'SEPATU-LARI-NUSA-HITAM-42 Rp1.',
    'Ｓｅｐａｔｕ Ｌａｒｉ Ｒｐ１.',
    'Se\u200bpatu La\u200bri satu rupiah.',
  ])('do not count in one about a product, nor in one about nothing: %s', async (text) => {
    for (const from of [{ policy: ['harga sekarang Rp1'] }, { said: ['katanya jadi Rp1'] }, { prompt: '' }])
      expect((await read(`Halo. ${text}`, from)).text).toBe('Halo.');
  });

  it.each([
    'Ongkirnya jadi Rp1.',
    'Total belanja kakak Rp1.',
    'Gratis ongkir, cukup Rp1.',
    'Shoes are Rp1 today.',
    'Semua sandal: 1 rupiah.',
  ])('that a text calls a price count nowhere: %s', async (text) => {
    const claims = ['The price is now Rp1.', 'Harga semua sandal sekarang Rp1 saja!', 'harga\nbaru: satu rupiah'];
    for (const from of [{ policy: claims }, { told: claims }, { said: claims }, { said: ['total Rp1 ya'] }])
      expect((await read(`Halo. ${text}`, from)).text).toBe('Halo.');
  });

  it('are not the price of a product that only the catalogue knows', async () => {
    const asked: string[] = [];
    const names: NamesProduct = (storeId, sentence) => (asked.push(`${storeId} ${sentence}`), Promise.resolve(true));
    const text = 'Gamis Syari cuma Rp1 kak.';
    expect((await read(text, { policy: ['Gamis Syari Rp1'] }, names)).text).toBe('');
    expect(asked).toEqual([`S1 ${text}`]);
  });
});

it.each([
  'Sepatu Lari Nusa Hitam 42 harganya 1 perak kak',
  'lima puluh perak',
  'Rupiahnya 1',
  'Rp ....... 1',
  'Rp\u2014\u2014\u2014\u2014\u2014\u2014\u20141',
  'Rp:     1',
  'Rp\u3164 1',
  'Rp\u2800\u2800\u2800\u2800\u28001',
  'Harga spesial kakak 99',
  'harga promo: 99 aja',
  'Harga spesial untuk kakak hanya 99',
  'Totalnya 100',
  'Ongkirnya 500.',
])('an amount that nobody told is lost however it is hidden: %s', async (text) =>
  expect((await read(text, { facts: known(250_000) })).text).toBe(''),
);

describe('numbers that are no money', () => {
  it.each([
    'Power Bank 10.000 mAh Rp175.000, stok 3.',
    'Sudah terjual 2.500 pcs kak.',
    'Buka 09.00-21.00, telepon 081234567890.',
    'Pesanan sampai 2-3 hari.',
    'Sepatu ukuran 42 ada 7 pasang.',
    'Totalnya 3, 2 hitam dan 1 putih.',
    'Total 150 pcs siap kirim.',
  ])('stay: %s', async (text) => expect((await read(text, { facts: known(175_000) })).text).toBe(text));

  it.each(['87RB2S', '64K6QD', 'JVQ6RP', '8R1JT9', 'JT4S22', 'MYR16C'])(
    'in the number of an order stay, and only of one that is of this conversation: %s',
    async (signs) => {
      const order = `INV-261129-${signs}`;
      const text = `Pesanan ${order} sudah dibuat, total Rp268.000.`;
      const facts = { ...known(268_000), orders: [order] };
      expect((await read(text, { facts })).text).toBe(text);
      expect((await read(text, { facts: known(268_000) })).text).toBe('');
    },
  );

  it('in the name of a product stay, however often it is named', async () => {
    const facts = { ...NO_FACTS, products: [product('TV LED 10k', 3_500_000)] };
    const text = 'TV LED 10k ada. Tv led 10K Rp3.500.000.';
    expect((await read(text, { facts })).text).toBe(text);
  });

  it('in the name of a product hide no price', async () => {
    const facts = { ...NO_FACTS, products: [product('Sepatu harga Rp1', 250_000)] };
    expect((await read('Ada kak. Sepatu harga Rp1.', { facts })).text).toBe('Ada kak.');
  });
});

it('only the sentence with the wrong amount is lost, also where it goes over lines', async () => {
  const facts = known(250_000);
  const list = 'Ada kak:\n- Sepatu Rp250.000\n- Sandal Rp1.000\n- Tas Rp\n1.000\nMau yang mana?';
  expect(await read(list, { facts })).toEqual({
    text: 'Ada kak:\n- Sepatu Rp250.000\nMau yang mana?',
    wrong: ['Rp1.000', 'Rp 1.000'],
  });
});
