import type { Lifecycle, Ref } from './features/lifecycle/lifecycle.fixture';

/** A route as it was called: by a default caller, or as one of the variants. */
export type Spelling = 'default' | 'admin' | 'crm';

/** What every case of the walk stands on: one customer with a chat of one message, an order and a warehouse record. */
export interface World {
  readonly chat: Lifecycle;
  readonly ref: Ref;
  readonly spelling: Spelling;
  /** Of the one message. */
  readonly messageId: string;
}

/** One call and everything it must answer. */
export interface WalkCase {
  /** The path where it has parameters, and the query. */
  readonly path?: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly answer: unknown;
}

/** By `METHOD /path`, variants under their default. */
export type WalkCases = Readonly<Record<string, (world: World) => Promise<WalkCase> | WalkCase>>;

/** A minute on the store's wall clock. */
export const WAKTU = expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/) as unknown;
const MOMENT = { waktu: WAKTU, timestamp: expect.any(Number) as unknown };
const ID = expect.any(String) as unknown;

/** Everything that a call for this chat must name. */
export const named = ({ nohp, instance, team }: Ref) => ({ nohp, instance, team });

const actorType = { default: 'user', admin: 'admin', crm: 'crm' };
/** Who acts when the call names u-rina, or is hers. */
export const actorOf = ({ spelling }: World) => ({
  actor_type: actorType[spelling],
  user_id: 'u-rina',
  user_nama: 'Rina',
});

type Message = Pick<World, 'ref' | 'messageId'>;

/** The one message of a customer's new chat. */
export const inboxOf = ({ ref, messageId }: Message, more: object = {}) => ({
  chatInboxId: `${ref.chatId}.1`,
  chatId: ref.chatId,
  pesan_id: messageId,
  nohp: ref.nohp,
  instance: ref.instance,
  team: ref.team,
  customerId: ID,
  seq: 1,
  type: 'chat',
  pesan: 'ada stok?',
  caption: null,
  url: null,
  mimetype: null,
  filename: null,
  size: null,
  latitude: null,
  longitude: null,
  locationName: null,
  locationAddress: null,
  matchedText: null,
  quoteMsg: null,
  fromMe: false,
  role: 'customer',
  user_id: null,
  name: 'Budi',
  participantname: null,
  profilepic: null,
  status_ack: 'delivered',
  error: null,
  failed_at: null,
  broadcastId: null,
  is_read: false,
  ...MOMENT,
  ...more,
});

export const listOf = ({ ref, messageId }: Message, more: object = {}) => ({
  chatId: ref.chatId,
  nohp: ref.nohp,
  instance: ref.instance,
  team: ref.team,
  customerId: ID,
  nama: 'Budi',
  profilepic: null,
  is_group: false,
  status: 'open',
  status_escalate: '',
  user_id: null,
  user_nama: null,
  gudang_id: null,
  prioritas: null,
  tag: [],
  unread: 1,
  last_seq: 1,
  read_seq: 0,
  last_pesan: 'ada stok?',
  last_type: 'chat',
  last_fromMe: false,
  last_pesan_id: messageId,
  status_ack: 'delivered',
  order_status: 'paid',
  ticketId: null,
  waiting_since: expect.any(Number),
  first_response_at: null,
  pending_until: null,
  episode: 1,
  version: expect.any(Number),
  ...MOMENT,
  ...more,
});

export const customerOf = ({ ref }: Pick<World, 'ref'>, more: object = {}) => ({
  customerId: ID,
  nohp: ref.nohp,
  nama: 'Budi',
  email: null,
  alamat: null,
  kota: null,
  provinsi: null,
  kodepos: null,
  profilepic: null,
  tag: [],
  catatan: null,
  total_order: 0,
  total_belanja: 0,
  opt_out: false,
  blokir: false,
  custom: {},
  waktu: WAKTU,
  last_waktu: WAKTU,
  ...more,
});

export const orderOf = ({ ref }: World) => ({
  orderId: `O-${ref.nohp}`,
  order_number: 'INV-1',
  chatId: ref.chatId,
  customerId: ID,
  nohp: ref.nohp,
  status: 'paid',
  payment_status: 'settled',
  total: 250000,
  currency: 'IDR',
  items: [{ product_id: 'P1', variant_id: 'V1', nama: 'Sepatu', qty: 1, harga: 250000 }],
  kurir: 'jne',
  resi: 'R1',
  gudang_id: 'G1',
  waktu: WAKTU,
  updated_at: WAKTU,
});

export const warehouseOf = ({ ref }: World, more: object = {}) => ({
  handleGudangId: `H-${ref.nohp}`,
  chatId: ref.chatId,
  orderId: `O-${ref.nohp}`,
  gudang_id: 'G1',
  gudang_nama: 'Gudang Timur',
  team: '3',
  user_id: 'u-siti',
  user_nama: 'Siti',
  status: 'diproses',
  catatan: 'siapkan',
  waktu_mulai: WAKTU,
  waktu_selesai: null,
  ...more,
});

export const historyOf = ({ ref }: Pick<World, 'ref'>, more: object = {}) => ({
  historyId: ID,
  chatId: ref.chatId,
  episode: 1,
  event: 'created',
  from_status: null,
  to_status: 'open',
  actor_type: 'customer',
  user_id: null,
  user_nama: null,
  team_from: null,
  team_to: null,
  user_from: null,
  user_to: null,
  catatan: null,
  lampiran: [],
  ...MOMENT,
  ...more,
});

export const deviceOf = ({ ref }: World) => ({
  instance: ref.instance,
  nama: 'Satu',
  nohp: null,
  status: 'disconnected',
  team: ref.team,
  default_team: '3',
  last_seen: null,
  waktu: null,
});

export const ticketOf = ({ ref }: Pick<World, 'ref'>, id: string, more: object = {}) => ({
  ticketId: `S1.${id}`,
  nomor: expect.stringMatching(/^TKT-\d{6}$/) as unknown,
  chatId: ref.chatId,
  nohp: ref.nohp,
  instance: ref.instance,
  team: ref.team,
  customerId: ID,
  orderId: null,
  judul: 'Retur',
  isi: 'Salah ukuran',
  kategori: null,
  prioritas: 'medium',
  status: 'open',
  user_id: null,
  catatan: null,
  rating: null,
  feedback: null,
  waktu: WAKTU,
  updated_at: WAKTU,
  ...more,
});

export const ticketEventOf = (id: string, more: object) => ({
  historyId: ID,
  ticketId: `S1.${id}`,
  event: 'created',
  from_status: null,
  to_status: null,
  actor_type: 'system',
  user_id: null,
  user_nama: null,
  catatan: null,
  ...MOMENT,
  ...more,
});

export const notificationOf = ({ ref }: World, notifId: unknown, more: object = {}) => ({
  notifId,
  type: 'move',
  judul: 'Chat dipindahkan ke team Anda',
  isi: 'Budi',
  chatId: ref.chatId,
  nohp: ref.nohp,
  instance: ref.instance,
  team: ref.team,
  pesan_id: null,
  count: 1,
  is_read: false,
  ...MOMENT,
  read_at: null,
  ...more,
});

/** An order and a warehouse record of the chat; tells its id. */
const STUFF = `
  WITH orders AS (INSERT INTO chat_orders (store_id, id, nohp, order_number, status, payment_status, total, items, kurir, resi, gudang_id, created_at, updated_at)
  SELECT 'S1', 'O-' || $1, $1, 'INV-1', 'paid', 'settled', 250000, '[{"product_id":"P1","variant_id":"V1","nama":"Sepatu","qty":1,"harga":250000}]', 'jne', 'R1', 'G1', now(), now()
  WHERE $1 <> ''),
  records AS (INSERT INTO handle_gudang (store_id, id, conversation_id, order_id, gudang_id, gudang_nama, team_id, user_id, status, catatan, waktu_mulai)
  SELECT c.store_id, 'H-' || c.nohp, c.id, 'O-' || c.nohp, 'G1', 'Gudang Timur', '3', 'u-siti', 'diproses', 'siapkan', now() FROM conversations c WHERE c.nohp = $1)
  SELECT store_id || '.' || id AS id FROM conversations WHERE nohp = $1`;

let worlds = 0;
export const newWorld = async (chat: Lifecycle, spelling: Spelling): Promise<World> => {
  const nohp = `62855${String(++worlds).padStart(7, '0')}`;
  const messageId = `WALK${worlds}`;
  await chat.inbound({ number: `${nohp}@s.whatsapp.net`, id: messageId, text: 'ada stok?' });
  const [row] = await chat.database.query<{ id: string }>(STUFF, [nohp]);
  return { chat, ref: { nohp, instance: 'dev1', team: '3', chatId: row?.id ?? '' }, spelling, messageId };
};
