import { keyMarker } from './recorded-sql';
import type { SeedStep } from './seeded-database';

/** Digits of a request's key, and of the numbers in the data that requests ask for. */
export const KEY_WIDTH = 7;
/** Half of all conversations are this store's; the other half is spread over fifty. */
export const STORE = 'S2';
export const TEAMS = 20;
export const LONG_CHAT = { nohp: '62899999999', messages: 100_000, instance: 'dev20' } as const;
const OTHERS = 50;
const BATCH = 10_000;
const MESSAGES_EACH = 10;

const padded = (n: string): string => `lpad((${n})::text, ${KEY_WIDTH}, '0')`;
const array = (words: string): string => `ARRAY['${words.split(' ').join("','")}']`;
const FIRST = array(
  'Budi Siti Agus Dewi Eko Rina Joko Sri Andi Nur Hendra Lestari Yusuf Ayu Rizky Putri Dian Bayu Indah Fajar Wati Arif Maya Doni Ratna Iwan Sari Tono Lina Adi',
);
const LAST = array(
  'Santoso Wulandari Pratama Hidayat Saputra Rahayu Kurniawan Lestari Wijaya Utami Nugroho Permata Setiawan Anggraini Firmansyah Maharani Susanto Handayani Gunawan Puspita',
);
const WORDS = array(
  'sepatu kaos jaket celana tas topi ukuran warna hitam putih merah biru stok ready kirim ongkir bayar transfer diskon promo alamat resi kapan sampai terima kasih kak mau pesan dua satu tiga lusin grosir ecer bahan katun kulit asli garansi tukar retur cepat murah bagus suka cocok kecil besar panjang pendek baru lama',
);
const word = (seed: string): string => `(${WORDS})[1 + abs(hashint4(${seed})) % 50]`;

/**
 * Conversation n belongs to the large store when n is even. k numbers the conversations of a store: its last digit gives the
 * state (0 open and unread, 1 handled, 2 pending, otherwise finished), the other digits give the team and the number.
 * Unread conversations are on the first device.
 */
const batch = (from: number, to: number, all: number): string[] => [
  `CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT n, k, own, CASE WHEN own THEN '${STORE}' ELSE 'X' || k % ${OTHERS} END AS store, uuidv7() AS id, uuidv7() AS customer,
      CASE WHEN own THEN '628' ELSE '629' END || k % 10 || ${padded('k / 10')} AS nohp, CASE WHEN own THEN 'dev2' || CASE k % 10 WHEN 0 THEN 0 ELSE k / 10 % 3 END ELSE 'x' || k % ${OTHERS} END AS instance,
      CASE WHEN own THEN ${padded(`k / 10 % ${TEAMS}`)} ELSE '1' END AS team, (ARRAY[0,1,2,3,3,3,3,3,3,3])[1 + k % 10] AS status,
      now() - interval '60 days' * greatest(0, 1 - n::float8 / ${all}) AS at
    FROM (SELECT n, n / 2 AS k, n % 2 = 0 AS own FROM generate_series(${from}, ${to - 1}) AS n) AS numbers`,
  `INSERT INTO customers (store_id, id, nohp, nama)
    SELECT store, customer, nohp, (${FIRST})[1 + k % 30] || ' ' || (${LAST})[1 + k / 30 % 20] || ' ' || ${padded('k / 10')} FROM filled`,
  `INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, status, last_seq, read_seq, unread_count, last_at, last_text, last_type, last_pesan_id, assignee_id, waiting_since)
    SELECT store, id, instance, nohp, team, customer, status, ${MESSAGES_EACH}, CASE status WHEN 0 THEN 8 ELSE ${MESSAGES_EACH} END, CASE status WHEN 0 THEN 2 ELSE 0 END, at,
      ${word('n')} || ' ' || ${word('n + 1')}, 'chat', 'M' || n || '.${MESSAGES_EACH}', CASE status WHEN 1 THEN 'u' || k % 40 END, CASE status WHEN 0 THEN at END FROM filled`,
  `INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, wa_id, from_me, role, type, pesan, status_ack, waktu, ts)
    SELECT store, id, seq, instance, 'M' || n || '.' || seq, CASE WHEN seq % 3 = 0 THEN 'W' || n || '.' || seq END, seq % 3 = 0, CASE WHEN seq % 3 = 0 THEN 'agent' ELSE 'customer' END, 'chat',
      ${word('n + seq')} || ' ' || ${word('n - seq')} || ' ' || ${word('n * seq % 1000003')} || CASE WHEN seq = 5 THEN ' rs' || ${padded('k / 10')} ELSE '' END, 2,
      at - (${MESSAGES_EACH} - seq) * interval '1 minute', extract(epoch FROM at)::bigint
    FROM filled CROSS JOIN generate_series(1, ${MESSAGES_EACH}) AS seq`,
  `INSERT INTO chat_orders (store_id, id, nohp, order_number, status, created_at, updated_at)
    SELECT store, 'O' || n, nohp, 'INV-' || ${padded('n')}, 'dikirim', at, at FROM filled WHERE n % 4 = 0`,
];

const directory = (): string[] => [
  `INSERT INTO stores (store_id, nama) SELECT '${STORE}', 'Toko Dua' UNION ALL SELECT 'X' || n, 'Toko ' || n FROM generate_series(0, ${OTHERS - 1}) AS n`,
  `INSERT INTO users (store_id, user_id, nama) SELECT '${STORE}', 'u' || n, 'Agen ' || n FROM generate_series(0, 39) AS n`,
  `INSERT INTO teams (store_id, id, nama) SELECT '${STORE}', ${padded('n')}, 'Team ' || n FROM generate_series(0, ${TEAMS - 1}) AS n
    UNION ALL SELECT 'X' || n, '1', 'CS' FROM generate_series(0, ${OTHERS - 1}) AS n`,
  `INSERT INTO devices (store_id, instance, nama, default_team_id) SELECT '${STORE}', 'dev2' || n, 'Dua', ${padded('0')} FROM generate_series(0, 2) AS n
    UNION ALL SELECT 'X' || n, 'x' || n, 'X', '1' FROM generate_series(0, ${OTHERS - 1}) AS n`,
  'INSERT INTO device_route (instance, store_id) SELECT instance, store_id FROM devices',
];

/** One chat with a hundred thousand messages; the id of message n, from zero, is L and n in seven digits. */
const longChat = (): string[] => [
  `WITH k AS (INSERT INTO customers (store_id, id, nohp, nama) VALUES ('${STORE}', uuidv7(), '${LONG_CHAT.nohp}', 'Grosir Besar') RETURNING id),
    c AS (INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, status, last_seq, read_seq, last_at, last_text, last_type)
      SELECT '${STORE}', uuidv7(), '${LONG_CHAT.instance}', '${LONG_CHAT.nohp}', ${padded('0')}, id, 1, ${LONG_CHAT.messages}, ${LONG_CHAT.messages}, now() - interval '61 days', 'terima kasih', 'chat' FROM k RETURNING id)
    INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu, ts)
    SELECT '${STORE}', c.id, n + 1, '${LONG_CHAT.instance}', 'L' || ${padded('n')}, n % 2 = 1, CASE n % 2 WHEN 1 THEN 'agent' ELSE 'customer' END, 'chat', ${word('n')} || ' ' || ${word('n * 7')}, 2,
      now() - interval '200 days' + n * interval '1 minute', 0 FROM c CROSS JOIN generate_series(0, ${LONG_CHAT.messages - 1}) AS n`,
];

/** Recorded requests use a fixed key: without a team and ten chats of that number, only refusals would be recorded. */
const recorded = (conversations: number): string[] => {
  const first = Number(keyMarker(KEY_WIDTH)) * 10 * 2;
  const team = `INSERT INTO teams (store_id, id, nama) VALUES ('${STORE}', '${keyMarker(KEY_WIDTH)}', 'Marker')`;
  return [team, ...batch(first, first + 20, conversations)];
};

/** All steps of the seeding, in order. Batches are small: an interrupted run loses at most one. */
export const inboxSteps = (conversations: number): SeedStep[] => {
  const batches = Math.ceil(conversations / BATCH);
  const range = (index: number): [number, number] => [index * BATCH, Math.min(conversations, (index + 1) * BATCH)];
  return [
    { name: 'stores, teams and devices', statements: directory() },
    ...Array.from({ length: batches }, (_, index) => ({
      name: `conversations up to ${range(index)[1].toLocaleString('en-US')}`,
      statements: batch(...range(index), conversations),
    })),
    { name: 'one long chat', statements: longChat() },
    { name: 'what recorded requests name', statements: recorded(conversations) },
    // As their second message leaves them
    { name: 'list records', statements: [`UPDATE conversations SET version = ${MESSAGES_EACH}`] },
    {
      name: 'statistics',
      statements: ['customers', 'conversations', 'messages', 'chat_orders'].map(
        (table) => `VACUUM ANALYZE chat_backend.${table}`,
      ),
      alone: true,
    },
  ];
};
