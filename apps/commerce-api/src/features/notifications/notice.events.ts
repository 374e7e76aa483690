import type { Ability } from '../../abilities';
import type { NoticeEvent } from '../../notice.types';

/** By which a member can be told. */
export const ways = ['in_app', 'email', 'whatsapp', 'push'] as const;
export type Way = (typeof ways)[number];
export type Ways = Readonly<Record<Way, boolean>>;

type Params = Readonly<Record<string, string | number>>;
type Text = readonly [title: string, body: (params: Params) => string];

interface Told {
  /** Whoever may see what it is about. */
  readonly need: Ability;
  /** It names a customer: for those who see everybody's alone. */
  readonly ofCustomer?: true;
  /** Told by mail as well unless somebody wants otherwise. */
  readonly mailed?: true;
  /** Told to the browsers that a member has named as well, unless somebody wants otherwise. */
  readonly pushed?: true;
  /** Told to browsers alone: chat-backend tells it in the page. */
  readonly onlyPushed?: true;
  readonly id: Text;
  readonly en: Text;
}

const of = (name: string) => (params: Params) => String(params[name] ?? '');

/** What jobs are called; the file that one made is called as it is. */
const JOBS: Readonly<Record<'id' | 'en', Readonly<Record<string, string>>>> = {
  id: { 'products.import': 'Impor produk', 'contacts.import': 'Impor kontak' },
  en: { 'products.import': 'The import of products', 'contacts.import': 'The import of contacts' },
};
const jobIn = (locale: 'id' | 'en') => (params: Params) => JOBS[locale][of('name')(params)] ?? of('name')(params);

const number = of('number');
const amount = of('amount');

/** What members are told of, whom it concerns, and in which words. */
export const noticeTexts: Readonly<Record<NoticeEvent, Told>> = {
  'order.created': {
    ...{ need: 'order.read', ofCustomer: true, pushed: true },
    id: ['Pesanan baru', (p) => `Pesanan ${number(p)} masuk: ${amount(p)}`],
    en: ['New order', (p) => `Order ${number(p)} came in: ${amount(p)}`],
  },
  'order.paid': {
    ...{ need: 'order.read', ofCustomer: true, pushed: true },
    id: ['Pesanan dibayar', (p) => `Pesanan ${number(p)} sudah dibayar: ${amount(p)}`],
    en: ['Order paid', (p) => `Order ${number(p)} is paid: ${amount(p)}`],
  },
  'order.cancelled': {
    ...{ need: 'order.read', ofCustomer: true },
    id: ['Pesanan dibatalkan', (p) => `Pesanan ${number(p)} dibatalkan`],
    en: ['Order cancelled', (p) => `Order ${number(p)} was cancelled`],
  },
  'order.review': {
    ...{ need: 'payment.record', ofCustomer: true, mailed: true },
    id: ['Pembayaran perlu diperiksa', (p) => `Pembayaran pesanan ${number(p)} perlu diperiksa`],
    en: ['Payment to be looked at', (p) => `A payment of order ${number(p)} is to be looked at`],
  },
  'refund.failed': {
    ...{ need: 'order.refund', ofCustomer: true, mailed: true },
    id: [
      'Pengembalian dana gagal',
      (p) => `Uang untuk pembeli pesanan ${number(p)} tidak terkirim. Periksa, lalu kembalikan lagi`,
    ],
    en: ['Refund failed', (p) => `The buyer of order ${number(p)} has not got the money. Look at it, and give it anew`],
  },
  'stock.low': {
    need: 'stock.write',
    id: ['Stok hampir habis', (p) => `${of('count')(p)} produk hampir habis: ${of('names')(p)}`],
    en: ['Stock runs low', (p) => `${of('count')(p)} products run low: ${of('names')(p)}`],
  },
  'withdrawal.paid': {
    ...{ need: 'wallet.read', mailed: true },
    id: ['Penarikan dibayar', (p) => `Penarikan ${amount(p)} sudah dibayarkan`],
    en: ['Withdrawal paid', (p) => `The withdrawal of ${amount(p)} was paid out`],
  },
  'withdrawal.failed': {
    ...{ need: 'wallet.read', mailed: true },
    id: ['Penarikan gagal', (p) => `Penarikan ${amount(p)} gagal, uangnya kembali ke dompet`],
    en: ['Withdrawal failed', (p) => `The withdrawal of ${amount(p)} failed, its money is back in the wallet`],
  },
  'proof.sent': {
    ...{ need: 'payment.record', ofCustomer: true },
    id: ['Bukti transfer masuk', (p) => `Bukti transfer untuk pesanan ${number(p)}`],
    en: ['Proof of a transfer', (p) => `A proof of transfer for order ${number(p)}`],
  },
  'keys.lacking': {
    ...{ need: 'digital.write', ofCustomer: true, mailed: true },
    id: [
      'Kunci lisensi kurang',
      (p) => `Pesanan ${number(p)} sudah dibayar, tetapi kunci lisensinya kurang. Tambahkan kunci`,
    ],
    en: ['Licence keys are lacking', (p) => `Order ${number(p)} is paid, and lacks licence keys. Add some`],
  },
  'ticket.opened': {
    ...{ need: 'ticket.write', ofCustomer: true },
    id: ['Tiket baru', (p) => `Tiket ${number(p)} dibuka`],
    en: ['New ticket', (p) => `Ticket ${number(p)} was opened`],
  },
  'job.done': {
    need: 'report.read',
    id: ['Selesai', (p) => `${jobIn('id')(p)} selesai`],
    en: ['Done', (p) => `${jobIn('en')(p)} is done`],
  },
  'webhook.stopped': {
    ...{ need: 'settings.write', mailed: true },
    id: ['Webhook dihentikan', (p) => `Webhook ${of('host')(p)} dihentikan karena terus gagal`],
    en: ['Webhook stopped', (p) => `The webhook ${of('host')(p)} was stopped: it kept failing`],
  },
  'domain.failed': {
    ...{ need: 'domain.write', mailed: true },
    id: ['Domain gagal diverifikasi', (p) => `Domain ${of('host')(p)} gagal diverifikasi`],
    en: ['Domain not verified', (p) => `The domain ${of('host')(p)} could not be verified`],
  },
  'plan.unpaid': {
    ...{ need: 'billing.write', mailed: true },
    id: ['Paket belum dibayar', (p) => `Tagihan ${number(p)} belum dibayar`],
    en: ['Plan unpaid', (p) => `Invoice ${number(p)} is unpaid`],
  },
  'broadcast.failed': {
    ...{ need: 'broadcast.send', mailed: true },
    id: ['Broadcast tidak terkirim', () => 'Sebuah broadcast tidak dapat dikirim. Periksa, lalu kirim lagi'],
    en: ['Broadcast not sent', () => 'A broadcast could not be sent. Look at it, and send it again'],
  },
  // Its title is the customer's name; this one is what stands under it where contents are not shown
  'chat.message': {
    ...{ need: 'chat.reply', pushed: true, onlyPushed: true },
    id: ['Pesan pelanggan', () => 'Pesan baru menunggu balasan'],
    en: ['Message of a customer', () => 'A new message waits for an answer'],
  },
};

/** The ways that there are for an event; `canPush`: browsers can be told. */
export const waysFor = (event: NoticeEvent, canPush: boolean): readonly Way[] =>
  ways.filter((way) => (way === 'push' ? canPush : noticeTexts[event].onlyPushed !== true));

/** The ways of an event while a member has chosen no others. */
export const usualWays = (event: NoticeEvent): Ways => {
  const { mailed, pushed, onlyPushed } = noticeTexts[event];
  return { in_app: !onlyPushed, email: mailed === true, whatsapp: false, push: pushed === true };
};
