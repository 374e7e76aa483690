import type { Discount } from '../../sales/totals/public';
import { NEAR } from './people';

/** A way to send of the shop itself. */
export interface Sending {
  readonly name: string;
  readonly kind: 'flat' | 'pickup' | 'cod';
  /** Rupiah. */
  readonly cost: number;
  readonly free_over: number | null;
  readonly areas: readonly string[];
}
export const REGULAR: Sending = { name: 'Reguler 2-4 hari', kind: 'flat', cost: 18_000, free_over: 500_000, areas: [] };
export const NEXT_DAY: Sending = { name: 'Besok sampai', kind: 'flat', cost: 32_000, free_over: null, areas: NEAR };
export const OWN_COURIER: Sending = {
  name: 'Kurir toko, bayar di tempat',
  kind: 'cod',
  cost: 15_000,
  free_over: null,
  areas: NEAR,
};
export const PICKUP: Sending = { name: 'Ambil di toko', kind: 'pickup', cost: 0, free_over: null, areas: [] };
export const sendings: readonly Sending[] = [REGULAR, NEXT_DAY, OWN_COURIER, PICKUP];

/** Nobody carries more than so much home to the shop. */
export const MOST_ON_DELIVERY = 2_000_000;

export interface DemoCoupon extends Pick<Discount, 'kind' | 'value' | 'maxDiscount' | 'minSubtotal'> {
  readonly code: string;
  readonly status: 'active' | 'paused' | 'archived';
  /** Days before today; null: no end. */
  readonly from: number;
  readonly until: number | null;
  readonly usage_limit: number | null;
  readonly per_contact_limit: number | null;
  readonly buyQty?: number;
  readonly getQty?: number;
}
const OPEN = {
  status: 'active',
  until: null,
  usage_limit: null,
  per_contact_limit: null,
  maxDiscount: null,
  minSubtotal: 0,
} as const;
export const coupons: readonly DemoCoupon[] = [
  { ...OPEN, code: 'NUSA10', kind: 'percent', value: 10, maxDiscount: 50_000, minSubtotal: 150_000, from: 88 },
  { ...OPEN, code: 'HEMAT25', kind: 'fixed', value: 25_000, minSubtotal: 250_000, usage_limit: 200, from: 60 },
  { ...OPEN, code: 'ONGKIRGRATIS', kind: 'free_shipping', value: 0, minSubtotal: 200_000, from: 45 },
  { ...OPEN, code: 'GAJIAN', kind: 'percent', value: 15, maxDiscount: 75_000, from: 40, until: 33 },
  { ...OPEN, code: 'KAOSKAKI21', kind: 'buy_get', value: 0, buyQty: 2, getQty: 1, status: 'paused', from: 20 },
];

/** Where buyers transfer to. */
export const accounts = [
  { bank_code: 'BCA', number: '8800112233', holder: 'Toko Nusa' },
  { bank_code: 'MANDIRI', number: '1310099887766', holder: 'Toko Nusa' },
] as const;

/** Links that sell. */
interface Link {
  readonly code: string;
  readonly name: string;
  /** Codes of the products in it. */
  readonly goods: readonly string[];
}
export const links: readonly [Link, ...Link[]] = [
  { code: 'nusa-lari', name: 'Paket lari pemula', goods: ['DRY', 'PENDEK', 'KAKI'] },
  { code: 'nusa-topi', name: 'Topi Baseball Nusa (Instagram)', goods: ['TOPI'] },
  { code: 'nusa-yoga', name: 'Mulai yoga di rumah', goods: ['MATRAS', 'BALOK', 'LEGGING'] },
  { code: 'nusa-badminton', name: 'Main badminton', goods: ['RAKET', 'KOK', 'HANDUK'] },
];

export const tags: readonly (readonly [name: string, color: string])[] = [
  ['VIP', '#f0b429'],
  ['Reseller', '#2aa6a1'],
  ['Komunitas lari', '#2f6fd0'],
  ['Pelanggan baru', '#2f9e6b'],
];

/** Value added tax is in the prices. */
export const tax = {
  mode: 'included',
  rate_bp: 1_200,
  base_num: 11,
  base_den: 12,
  shipping: false,
  npwp: '01.234.567.8-901.000',
} as const;
