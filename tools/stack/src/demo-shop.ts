import { readFileSync } from 'node:fs';
import type { KeyFiles, Secrets } from './secrets';

/** The data of the demo for the services' `seed` commands; each uses the parts it needs. */
export interface DemoShop {
  readonly store: { store_id: string; nama: string; tz: string; slug: string; currency: string };
  readonly team: { id: string; nama: string };
  readonly instance: string;
  readonly device: { nama: string; nohp: string };
  readonly ai_agent: { id: string; name: string; prompt: string; vision: boolean };
  /** What the agent knows beside the products. */
  readonly policy: { title: string; text: string };
  readonly owner: { user_id: string; email: string; password: string; nama: string };
  readonly agents: readonly { user_id: string; email: string; password: string; nama: string; teams: string[] }[];
  readonly products: readonly {
    sku: string;
    name: string;
    category: string;
    description: string;
    price: number;
    stock: number;
  }[];
  /** How long the shop looks as if it had been open, with orders, contacts and more goods. */
  readonly days: number;
  readonly ads: { client_key: string; name: string; public_key: string };
}

/** The sender of the printed example. */
export const DEMO_CUSTOMER = '6281234567890';

/** The user who signs in in examples. */
export const DEMO_AGENT = 'rina@toko-nusa.example';

/** The shop's own number: the phone that scans the QR code. */
export const DEMO_DEVICE: DemoShop['device'] = { nama: 'Toko Nusa WA', nohp: '628110000001' };

const PROMPT = [
  'Kamu Nusa, asisten Toko Nusa. Jawab singkat, ramah dan dalam bahasa pelanggan.',
  'Sebut harga dan stok hanya dari katalog. Kalau ragu, tawarkan untuk menghubungkan dengan tim.',
].join('\n');

const POLICY: DemoShop['policy'] = {
  title: 'Retur, garansi dan pengiriman',
  text: [
    'Retur: barang boleh ditukar ukuran dalam 7 hari sejak diterima, selama belum dipakai dan kemasannya lengkap.',
    'Garansi: sepatu bergaransi sol lepas selama 30 hari. Kerusakan karena pemakaian tidak termasuk.',
    'Pengiriman: pesanan yang dibayar sebelum pukul 15.00 dikirim pada hari yang sama, hari Minggu tidak ada pengiriman.',
    'Pembayaran: pesanan yang belum dibayar dibatalkan sendiri ketika waktunya habis.',
  ].join('\n\n'),
};

const PRODUCTS: DemoShop['products'] = [
  {
    sku: 'SEPATU-HITAM-42',
    name: 'Sepatu Lari Nusa Hitam 42',
    category: 'Sepatu',
    description: 'Sepatu lari ringan, sol karet anti selip, ukuran 42.',
    price: 250_000,
    stock: 7,
  },
  {
    sku: 'SEPATU-PUTIH-40',
    name: 'Sepatu Lari Nusa Putih 40',
    category: 'Sepatu',
    description: 'Sepatu lari ringan, sol karet anti selip, ukuran 40.',
    price: 250_000,
    stock: 0,
  },
  {
    sku: 'KAOS-BIRU-L',
    name: 'Kaos Olahraga Nusa Biru L',
    category: 'Kaos',
    description: 'Kaos olahraga cepat kering, ukuran L.',
    price: 95_000,
    stock: 25,
  },
  {
    sku: 'BOTOL-750',
    name: 'Botol Minum Nusa 750 ml',
    category: 'Aksesoris',
    description: 'Botol minum baja tahan karat, menjaga dingin 12 jam.',
    price: 120_000,
    stock: 12,
  },
];

const DAYS_OPEN = 90;

/** The demo shop of one data folder: always the same people and goods, with that folder's own passwords and keys. */
export const demoShop = (secrets: Secrets, { publicKeyFile }: KeyFiles): DemoShop => ({
  store: { store_id: 'S1', nama: 'Toko Nusa', tz: 'Asia/Jakarta', slug: 'toko-nusa', currency: 'IDR' },
  team: { id: '3', nama: 'Customer Service' },
  instance: 'dev1',
  device: DEMO_DEVICE,
  ai_agent: { id: 'A1', name: 'Nusa', prompt: PROMPT, vision: true },
  policy: POLICY,
  owner: {
    user_id: '01935a00-0000-7000-8000-000000000001',
    email: 'owner@toko-nusa.example',
    password: secrets['owner password'],
    nama: 'Sari',
  },
  agents: [
    {
      user_id: '01935a00-0000-7000-8000-000000000002',
      email: DEMO_AGENT,
      password: secrets['agent password'],
      nama: 'Rina',
      teams: ['3'],
    },
  ],
  products: PRODUCTS,
  days: DAYS_OPEN,
  ads: {
    client_key: secrets['ads client key'],
    name: 'Demo client',
    public_key: readFileSync(publicKeyFile, 'utf8'),
  },
});
