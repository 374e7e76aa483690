import type { Report, Started } from './bench.types';
import { chatBackend, SCHEMA } from './chat-backend';
import { KEY_WIDTH, TEAMS } from './inbox-data';
import { keyMarker } from './recorded-sql';

export const CONVERSATIONS = 50_000;
export const MESSAGES_EACH = 10;

const padded = (n: string): string => `lpad((${n})::text, ${KEY_WIDTH}, '0')`;

/**
 * Store S2: 20 private teams, 50,000 conversations spread over them, ten messages in each, as of the last weeks. One more team
 * is the one that recorded requests name.
 */
const FILL = `
  INSERT INTO stores (store_id, nama) VALUES ('S2', 'Toko Dua');
  INSERT INTO teams (store_id, id, nama) SELECT 'S2', ${padded('n')}, 'Team ' || n FROM generate_series(0, ${TEAMS - 1}) AS n UNION ALL SELECT 'S2', '${keyMarker(KEY_WIDTH)}', 'Marker';
  INSERT INTO devices (store_id, instance, nama, default_team_id) VALUES ('S2', 'dev2', 'Dua', ${padded('0')});
  INSERT INTO device_route (instance, store_id) VALUES ('dev2', 'S2');
  CREATE TEMPORARY TABLE filled ON COMMIT DROP AS
    SELECT n, gen_random_uuid() AS id, gen_random_uuid() AS customer_id, '6282' || ${padded('n')} AS nohp, timestamptz '2026-11-01' + n * interval '30 seconds' AS at
    FROM generate_series(0, ${CONVERSATIONS - 1}) AS n;
  INSERT INTO customers (store_id, id, nohp, nama) SELECT 'S2', customer_id, nohp, 'Pelanggan ' || n FROM filled;
  INSERT INTO conversations (store_id, id, instance, nohp, team_id, customer_id, status, last_seq, read_seq, unread_count, last_at, last_text, last_type, last_pesan_id)
    SELECT 'S2', id, 'dev2', nohp, ${padded(`n % ${TEAMS}`)}, customer_id, n % 4, ${MESSAGES_EACH}, ${MESSAGES_EACH} - n % 3, n % 3, at, 'pesan terakhir', 'chat', 'M' || n FROM filled;
  INSERT INTO messages (store_id, conversation_id, seq, instance, pesan_id, from_me, role, type, pesan, status_ack, waktu, ts)
    SELECT 'S2', id, seq, 'dev2', 'M' || n || '.' || seq, seq % 3 = 0, CASE WHEN seq % 3 = 0 THEN 'agent' ELSE 'customer' END, 'chat',
      'sepatu lari ukuran ' || seq, 2, at - (${MESSAGES_EACH} - seq) * interval '1 minute', 1795157100
    FROM filled CROSS JOIN generate_series(1, ${MESSAGES_EACH}) AS seq;
  -- Rows as their second message leaves them: with their list record
  UPDATE conversations SET version = ${MESSAGES_EACH} WHERE store_id = 'S2';`;

/** Seeds a store with a large inbox that is only read; once per run. */
export const largeInbox = async (report: Report): Promise<Started> => {
  const { cluster } = await chatBackend(report);
  return report.shared('large inbox', async () => {
    report.progress(`filling an inbox of ${CONVERSATIONS} conversations and ${CONVERSATIONS * MESSAGES_EACH} messages`);
    const { admin } = cluster;
    await admin.tx(async (tx) => {
      await tx.query(`SET LOCAL search_path = ${SCHEMA}, public`);
      await tx.query(FILL);
    });
    for (const table of ['customers', 'conversations', 'messages'])
      await admin.query(`VACUUM ANALYZE ${SCHEMA}.${table}`);
    return { stop: () => Promise.resolve() };
  });
};
