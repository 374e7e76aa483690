import type { Agent } from '../agents/agent.entity';
import type { Store } from '../stores/store.entity';
import { POLICY, systemPrompt, turnMessages } from './system.prompt';

const agent = { prompt: ' Kamu adalah Nusa. \n' } as Agent;
const store: Store = {
  id: 'S1',
  name: 'Toko Nusa',
  timezone: 'Asia/Jakarta',
  currency: 'IDR',
  replyLimit: null,
  periodStart: null,
  periodEnd: null,
  dayCapMicros: null,
  monthCapMicros: null,
  status: 'active',
  facts: {
    address: 'Jl. Merdeka 1',
    hours: '09.00-21.00',
    products: [
      { sku: 'A', name: 'Topi\nBiru', category: 'Topi', description: 'ringan', price: 1_250_000, stock: 0 },
      { sku: 'B', name: 'Tas', price: 90_000, stock: 3 },
    ],
  },
};

it('the prompt holds agent, rules and facts of the store, and ends with what changes: the local day and the customer', () =>
  expect(systemPrompt(agent, store, new Date('2026-11-20T18:30:00Z'), 'Budi')).toBe(
    [
      'Kamu adalah Nusa.',
      '',
      POLICY,
      '',
      'Nama toko: Toko Nusa',
      'Alamat: Jl. Merdeka 1',
      'Jam buka: 09.00-21.00',
      'Produk:',
      '- Topi Biru: harga Rp1.250.000, stok 0 (SKU A; kategori Topi; ringan)',
      '- Tas: harga Rp90.000, stok 3 (SKU B)',
      '',
      'Hari ini: Sabtu, 21 November 2026 (Asia/Jakarta)',
      'Nama pelanggan: Budi',
    ].join('\n'),
  ));

it('prices in a currency other than rupiah carry its code', () =>
  expect(systemPrompt(agent, { ...store, currency: 'MYR' }, new Date())).toContain('harga MYR 90.000'));

it('the oldest lines are dropped from a history that is too long', () => {
  const lines = Array.from({ length: 20 }, (_, n) => ({ role: 'user' as const, content: `${n} ${'x'.repeat(3996)}` }));
  const messages = turnMessages('s', lines, 'q').map(({ content }) => String(content).split(' ')[0]);
  expect(messages).toEqual(['s', '14', '15', '16', '17', '18', '19', 'q']);
});
