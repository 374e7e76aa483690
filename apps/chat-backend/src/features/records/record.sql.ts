/**
 * The records of the API (design 2.8) as SQL expressions, written once: PostgreSQL builds the JSON and it goes out as it is
 * (architecture section 10). `m`, `c`, `k`, `s` name a row of messages, conversations, customers and stores.
 */
export const minute = (instant: string, s: string): string =>
  `to_char(${instant} AT TIME ZONE ${s}.tz, 'YYYY-MM-DD HH24:MI')`;
/** In float8, which holds every second and microsecond until the year 2514; `extract` computes in numeric, which costs more. */
export const epoch = (instant: string): string => `floor(date_part('epoch', ${instant}))::bigint`;

/**
 * One record: names of its members and the SQL of their values. `to_json` of a row costs a quarter less than
 * json_build_object, which looks up the type of each argument for each row (measured, 35 members).
 */
export const object = (members: Readonly<Record<string, string>>): string =>
  `(SELECT to_json(r) FROM (SELECT ${Object.entries(members)
    .map(([name, value]) => `${value} AS "${name}"`)
    .join(', ')}) r)`;

const named = (names: readonly string[], value: string): string =>
  `(ARRAY[${names.map((name) => `'${name}'`).join(',')}])[${value} + 1]`;

export const chatStatuses = ['open', 'handle', 'pending', 'finish'] as const;
export type ChatStatus = (typeof chatStatuses)[number];
export const escalateStatuses = ['', 'requested', 'finished'] as const;
const deliveryNames = ['pending', 'sent', 'delivered', 'viewed', 'played'];

const statusName = (value: string): string => named(chatStatuses, value);
const deliveryName = (value: string): string => named(deliveryNames, value);

/** Public ids carry the store, so that a call without a token finds its tenant by primary key (design 2.1). */
const chatId = (c: string): string => `${c}.store_id || '.' || ${c}.id`;

/** ChatInboxStruct. `url` names the stored file here; `signMediaLinks` turns it into a link. */
export const inboxRecord = (m: string, c: string, s: string): string =>
  object({
    chatInboxId: `${chatId(c)} || '.' || ${m}.seq`,
    chatId: chatId(c),
    pesan_id: `${m}.pesan_id`,
    nohp: `${c}.nohp`,
    instance: `${m}.instance`,
    team: `${c}.team_id`,
    customerId: `${c}.customer_id`,
    seq: `${m}.seq`,
    type: `${m}.type`,
    pesan: `${m}.pesan`,
    caption: `${m}.caption`,
    url: `'media:' || (${m}.media->>'name')`,
    mimetype: `${m}.media->>'mimetype'`,
    filename: `${m}.media->>'filename'`,
    size: `(${m}.media->>'size')::bigint`,
    latitude: `${m}.detail->>'latitude'`,
    longitude: `${m}.detail->>'longitude'`,
    locationName: `${m}.detail->>'locationName'`,
    locationAddress: `${m}.detail->>'locationAddress'`,
    matchedText: `${m}.detail->>'matchedText'`,
    quoteMsg: `coalesce(${m}.quote_pesan_id, ${m}.detail->>'quoteMsg')`,
    fromMe: `${m}.from_me`,
    role: `${m}.role`,
    user_id: `${m}.user_id`,
    name: `${m}.detail->>'name'`,
    participantname: `${m}.detail->>'participantname'`,
    profilepic: `${m}.detail->>'profilepic'`,
    status_ack: deliveryName(`${m}.status_ack`),
    error: `${m}.error`,
    failed_at: epoch(`${m}.failed_at`),
    broadcastId: `${m}.store_id || '.' || ${m}.broadcast_id`,
    is_read: `CASE WHEN ${m}.from_me THEN ${m}.status_ack >= 3 ELSE ${m}.seq <= ${c}.read_seq END`,
    waktu: minute(`${m}.waktu`, s),
    timestamp: epoch(`${m}.waktu`),
  });

const latestOrder = (c: string, column: string): string =>
  `(SELECT o.${column} FROM chat_orders o WHERE o.store_id = ${c}.store_id AND o.nohp = ${c}.nohp ORDER BY o.created_at DESC LIMIT 1)`;

/** SQL of what a chat's list record shows of other tables than its own and its customer's. */
export interface OfOthers {
  readonly agent: string;
  readonly order: string;
}

const lookedUp = (c: string): OfOthers => ({
  agent: `(SELECT u.nama FROM users u WHERE u.store_id = ${c}.store_id AND u.user_id = ${c}.assignee_id)`,
  order: latestOrder(c, 'status'),
});

/** ChatListStruct. What the row and its customer say of it is stored too: `storedListRecord`; a change here needs one there. */
export const listRecord = (c: string, k: string, s: string, { agent, order }: OfOthers = lookedUp(c)): string =>
  object({
    chatId: chatId(c),
    nohp: `${c}.nohp`,
    instance: `${c}.instance`,
    team: `${c}.team_id`,
    customerId: `${c}.customer_id`,
    nama: `${k}.nama`,
    profilepic: `${k}.profilepic`,
    is_group: `${c}.is_group`,
    status: statusName(`${c}.status`),
    status_escalate: named(escalateStatuses, `${c}.status_escalate`),
    user_id: `${c}.assignee_id`,
    user_nama: agent,
    gudang_id: `${c}.gudang_id`,
    prioritas: `${c}.prioritas`,
    tag: `${k}.tags`,
    unread: `${c}.unread_count`,
    last_seq: `${c}.last_seq`,
    read_seq: `${c}.read_seq`,
    last_pesan: `${c}.last_text`,
    last_type: `${c}.last_type`,
    last_fromMe: `${c}.last_from_me`,
    last_pesan_id: `${c}.last_pesan_id`,
    status_ack: deliveryName(`${c}.last_ack`),
    order_status: order,
    ticketId: `${c}.store_id || '.' || ${c}.ticket_id`,
    waiting_since: epoch(`${c}.waiting_since`),
    first_response_at: epoch(`${c}.first_response_at`),
    pending_until: minute(`${c}.pending_until`, s),
    episode: `${c}.episode`,
    version: `${c}.version`,
    waktu: minute(`${c}.last_at`, s),
    timestamp: epoch(`${c}.last_at`),
  });

/** CustomerStruct. */
export const customerRecord = (k: string, c: string, s: string): string =>
  object({
    customerId: `${k}.id`,
    nohp: `${k}.nohp`,
    nama: `${k}.nama`,
    email: `${k}.email`,
    alamat: `${k}.alamat`,
    kota: `${k}.kota`,
    provinsi: `${k}.provinsi`,
    kodepos: `${k}.kodepos`,
    profilepic: `${k}.profilepic`,
    tag: `${k}.tags`,
    catatan: `${k}.catatan`,
    total_order: `${k}.total_order`,
    total_belanja: `${k}.total_belanja`,
    opt_out: `${k}.opt_out`,
    blokir: `${k}.blokir`,
    custom: `${k}.custom`,
    waktu: minute(`${k}.created_at`, s),
    last_waktu: minute(`${c}.last_at`, s),
  });

/** ChatHistoryStruct; `h` is a row of chat_histories. */
export const historyRecord = (h: string, s: string): string =>
  object({
    historyId: `${h}.id`,
    chatId: `${h}.store_id || '.' || ${h}.conversation_id`,
    episode: `${h}.episode`,
    event: `${h}.event`,
    from_status: statusName(`${h}.from_status`),
    to_status: statusName(`${h}.to_status`),
    actor_type: `${h}.actor_type`,
    user_id: `${h}.actor_id`,
    user_nama: `(SELECT u.nama FROM users u WHERE u.store_id = ${h}.store_id AND u.user_id = ${h}.actor_id)`,
    team_from: `${h}.team_from`,
    team_to: `${h}.team_to`,
    user_from: `${h}.user_from`,
    user_to: `${h}.user_to`,
    catatan: `${h}.catatan`,
    lampiran: `${h}.lampiran`,
    waktu: minute(`${h}.waktu`, s),
    timestamp: epoch(`${h}.waktu`),
  });

/** The last 50 events of the chat, oldest first; `source` is a table or a query of the same columns, `more` a UNION of others. */
export const historyList = (c: string, s: string, source = 'chat_histories', more = ''): string => `coalesce((
  SELECT json_agg(${historyRecord('h', s)} ORDER BY h.id) FROM (
    (SELECT * FROM ${source} WHERE store_id = ${c}.store_id AND conversation_id = ${c}.id ORDER BY id DESC LIMIT 50) ${more}) h), '[]'::json)`;

/** ChatOrderStruct of the customer's latest order, or null. */
export const orderRecord = (c: string, s: string): string => `(SELECT ${object({
  orderId: 'o.id',
  order_number: 'o.order_number',
  chatId: chatId(c),
  customerId: `${c}.customer_id`,
  nohp: 'o.nohp',
  status: 'o.status',
  payment_status: 'o.payment_status',
  total: 'o.total',
  currency: 'o.currency',
  items: 'o.items',
  kurir: 'o.kurir',
  resi: 'o.resi',
  gudang_id: 'o.gudang_id',
  waktu: minute('o.created_at', s),
  updated_at: minute('o.updated_at', s),
})}
  FROM chat_orders o WHERE o.store_id = ${c}.store_id AND o.nohp = ${c}.nohp ORDER BY o.created_at DESC LIMIT 1)`;

/** HandleGudangStruct of the open record of the chat, or null. */
export const warehouseRecord = (c: string, s: string): string => `(SELECT ${object({
  handleGudangId: 'g.id',
  chatId: chatId(c),
  orderId: 'g.order_id',
  gudang_id: 'g.gudang_id',
  gudang_nama: 'g.gudang_nama',
  team: 'g.team_id',
  user_id: 'g.user_id',
  user_nama: '(SELECT u.nama FROM users u WHERE u.store_id = g.store_id AND u.user_id = g.user_id)',
  status: 'g.status',
  catatan: 'g.catatan',
  waktu_mulai: minute('g.waktu_mulai', s),
  waktu_selesai: minute('g.waktu_selesai', s),
})}
  FROM handle_gudang g WHERE g.store_id = ${c}.store_id AND g.conversation_id = ${c}.id AND g.status IN ('pending', 'diproses'))`;

/** DeviceStruct of the chat's device. */
export const deviceRecord = (c: string, s: string): string => `(SELECT ${object({
  instance: 'd.instance',
  nama: 'd.nama',
  nohp: 'd.nohp',
  status: 'd.status',
  team: `${c}.team_id`,
  default_team: 'd.default_team_id',
  last_seen: epoch('d.last_seen_at'),
  waktu: minute('d.last_seen_at', s),
})}
  FROM devices d WHERE d.store_id = ${c}.store_id AND d.instance = ${c}.instance)`;
