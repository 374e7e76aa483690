import type { Sql } from '@platform/data';
import { outage, type Component, type Logger, type Outage } from '@platform/runtime';
import type { GatewayClient } from '../../clients/gateway.client';
import { notificationRecord, notify, type NotificationAnnouncer, type Notified } from '../notifications/public';
import { deviceRecord } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';

export interface DevicePollOptions {
  readonly sql: Sql;
  readonly gateway: Pick<GatewayClient, 'devices'>;
  readonly announcer: Pick<ChatAnnouncer, 'deviceChanged'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  /** DEVICE_POLL_S; 0: never. */
  readonly everySeconds: number;
  readonly logger: Logger;
}

/** The gateway's states as this service names them (design 5.1); a device that it does not know is not connected. */
const STATUS = new Map([
  ['connected', 'connected'],
  ['qr', 'qr'],
]);

/** Those who look after a device: its team, and everybody who answers for the store. One unread note of the same is enough. */
const TOLD = `
  SELECT d.store_id, u.user_id, 'device_status' AS type, CASE WHEN d.status = 'connected' THEN 'Device terhubung' ELSE 'Device terputus' END AS judul,
    d.nama || ' (' || d.instance || ')' AS isi, NULL::uuid AS conversation_id, NULL::text AS pesan_id, 1 AS count
  FROM seen d CROSS JOIN LATERAL (
    SELECT m.user_id FROM team_members m WHERE m.store_id = d.store_id AND m.team_id = d.default_team_id
    UNION SELECT p.user_id FROM users p WHERE p.store_id = d.store_id AND p.role IN ('owner', 'admin', 'supervisor') AND p.aktif) u
  WHERE (d.status = 'connected') <> (d.was = 'connected') AND NOT EXISTS (
    SELECT 1 FROM notifications n WHERE n.store_id = d.store_id AND n.user_id = u.user_id AND n.conversation_id IS NULL AND n.type = 'device_status' AND n.read_at IS NULL
      AND n.isi = d.nama || ' (' || d.instance || ')' AND (n.judul = 'Device terhubung') = (d.status = 'connected'))`;

/**
 * Takes over what the gateway says of every device; answers the devices whose status is another now, and who was told of one
 * that was lost or came back. `old` is what the update really replaced, when another process was first. $1 [{instance, status}]
 */
export const APPLY_STATUS = `
WITH told AS (SELECT DISTINCT ON (instance) instance, status FROM json_to_recordset($1::json) AS t (instance text, status text)),
seen AS (
  UPDATE devices d SET status = coalesce(t.status, 'disconnected'), last_seen_at = CASE WHEN t.status = 'connected' THEN now() ELSE d.last_seen_at END
  FROM devices b LEFT JOIN told t ON t.instance = b.instance
  WHERE b.store_id = d.store_id AND b.instance = d.instance AND (t.status = 'connected' OR d.status IS DISTINCT FROM coalesce(t.status, 'disconnected'))
  RETURNING d.store_id, d.instance, d.nama, d.default_team_id, d.status, old.status AS was),
notified AS (${notify(TOLD)})
SELECT (SELECT json_agg(json_build_object('storeId', d.store_id, 'instance', d.instance, 'team', d.default_team_id)) FROM seen d WHERE d.was <> d.status) AS changed,
  (SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', 'c', 's')}))
   FROM notified n JOIN stores s ON s.store_id = n.store_id LEFT JOIN conversations c ON c.store_id = n.store_id AND c.id = n.conversation_id) AS notified`;

const RECORD = `
  SELECT ${deviceRecord('c', 's')} AS record FROM (SELECT $1::text AS store_id, $2::text AS instance, $3::text AS team_id) c JOIN stores s ON s.store_id = c.store_id`;

interface Changed {
  readonly storeId: string;
  readonly instance: string;
  readonly team: string | null;
}

interface Applied {
  readonly changed: readonly Changed[] | null;
  readonly notified: readonly Notified[] | null;
}

/** Asks the gateway from time to time how its devices are; clients hear of a change. */
export class DevicePoll implements Component {
  readonly name = 'device poll';
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;

  private readonly gateway: Outage;

  constructor(private readonly options: DevicePollOptions) {
    const texts = {
      failed: 'the gateway did not say how its devices are',
      answered: 'the gateway says again how its devices are',
    };
    this.gateway = outage(texts, options.logger);
  }

  async start(): Promise<void> {
    const { everySeconds } = this.options;
    if (everySeconds === 0) return;
    this.timer = setInterval(() => this.run(), everySeconds * 1000).unref();
    this.run();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }

  /** One round. Rejects when the gateway cannot say; then nothing changes. */
  async poll(): Promise<void> {
    const { sql, gateway, announcer, notifications } = this.options;
    const told = (await gateway.devices()).map(({ instance, status }) => ({
      instance,
      status: STATUS.get(status) ?? 'disconnected',
    }));
    const [applied] = await sql.prepared<Applied>('device_poll', APPLY_STATUS, [JSON.stringify(told)]);
    notifications.notified(applied?.notified);
    for (const { storeId, instance, team } of applied?.changed ?? []) {
      const [row] = await sql.prepared<{ record: object }>('device_record', RECORD, [storeId, instance, team]);
      if (row) announcer.deviceChanged(storeId, row.record);
    }
  }

  /** A round that is slow is not overtaken by the next. */
  private run(): void {
    this.current ??= this.poll()
      .then(this.gateway.answered, (cause: unknown) => this.gateway.failed({ cause }))
      .finally(() => (this.current = undefined));
  }
}
