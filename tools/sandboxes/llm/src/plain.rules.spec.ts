import type { Dialogue, Turn } from './dialogue';
import { replyTo } from './reply.rules';

const SYSTEM = `Kamu asisten ramah. Jawab singkat.
Nama toko: Nusa Sport
Jam buka: 09.00-21.00
- Pengembalian barang diterima dalam 7 hari dengan nota.
- Pembayaran bisa lewat transfer bank atau QRIS.
conversation facts: skus: QRIS-1`;

const answer = (question: string, system = SYSTEM) => {
  const turn = (role: Turn['role'], text: string): Turn => ({ role, text, toolCalls: [] });
  const dialogue: Dialogue = {
    model: 'sandbox-rules-small',
    turns: [turn('system', system), turn('user', question)],
    tools: [],
    choice: 'auto',
    promptTokens: 1,
    key: 'k'.repeat(64),
  };
  return replyTo(dialogue).text;
};

describe('answers of the sandbox model without tools', () => {
  it.each(['halo', 'Hi', 'selamat pagi kak', 'pagi'])('greet with the store of the prompt: %s', (line) => {
    expect(answer(line)).toBe(
      'Halo kak, selamat datang di Nusa Sport! Kami buka 09.00-21.00. Ada yang bisa kami bantu?',
    );
  });

  it('greets without inventing a store', () => {
    expect(answer('halo', 'Jawab singkat.')).toBe('Halo kak, selamat datang! Ada yang bisa kami bantu?');
  });

  it('reads the store from JSON facts and from running text', () => {
    expect(answer('halo', 'Store: {"id":"7","name":"Toko Maju","hours":"08.00-17.00"}')).toContain(
      'selamat datang di Toko Maju! Kami buka 08.00-17.00.',
    );
    expect(answer('halo', 'Kamu melayani pelanggan toko Batik Ayu di Solo.')).toContain('selamat datang di Batik Ayu!');
  });

  it('writes a welcome to a named customer in the requested language', () => {
    expect(answer('Tulis pesan sambutan. Nama pelanggan: Sari')).toBe(
      'Halo kak Sari, selamat datang di Nusa Sport! Kami buka 09.00-21.00. Ada yang bisa kami bantu?',
    );
    expect(answer('Write a welcome message in English. Customer name: Sari')).toBe(
      'Hello Sari, welcome to Nusa Sport! We are open 09.00-21.00. How can we help?',
    );
  });

  it('answers a question with the sentence of the prompt that shares most words with it', () => {
    expect(answer('pembayaran bisa pakai QRIS?')).toBe('Pembayaran bisa lewat transfer bank atau QRIS.');
    expect(answer('halo, pengembalian barang gimana?')).toBe('Pengembalian barang diterima dalam 7 hari dengan nota.');
    expect(answer('jam buka kapan?')).toBe('Jam buka: 09.00-21.00');
  });

  it('admits ignorance of a question, and offers help when nothing was asked', () => {
    expect(answer('presiden pertama siapa?')).toBe(
      'Maaf kak, informasi itu belum ada pada kami. Ada lagi yang bisa kami bantu?',
    );
    expect(answer('ok')).toBe('Ada yang bisa kami bantu, kak? Kakak bisa tanya produk, stok, ongkir atau pesanan.');
    expect(answer('makasih ya')).toBe('Sama-sama kak, senang bisa membantu.');
  });
});
