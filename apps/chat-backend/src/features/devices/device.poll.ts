import type { Sql } from '@platform/data';
import type { Component, Logger } from '@platform/runtime';
import type { GatewayClient } from '../../clients/gateway.client';
import { deviceRecord } from '../records/record.sql';
import type { ChatAnnouncer } from '../sockets/chat.announcer';

export interface DevicePollOptions {
  readonly sql: Sql;
  readonly gateway: Pick<GatewayClient, 'devices'>;
  readonly announcer: Pick<ChatAnnouncer, 'deviceChanged'>;
  /** DEVICE_POLL_S; 0: never. */
  readonly everySeconds: number;
  readonly logger: Logger;
}

/** The gateway's states as this service names them (design 5.1); a device that it does not know is not connected. */
const STATUS = new Map([
  ['connected', 'connected'],
  ['qr', 'qr'],
]);

/** Takes over what the gateway says of every device; answers the devices whose status is another now. $1 [{instance, status}] */
export const APPLY_STATUS = `
WITH told AS (SELECT DISTINCT ON (instance) instance, status FROM json_to_recordset($1::json) AS t (instance text, status text)),
seen AS (
  UPDATE devices d SET status = coalesce(t.status, 'disconnected'), last_seen_at = CASE WHEN t.status = 'connected' THEN now() ELSE d.last_seen_at END
  FROM devices b LEFT JOIN told t ON t.instance = b.instance
  WHERE b.store_id = d.store_id AND b.instance = d.instance AND (t.status = 'connected' OR d.status IS DISTINCT FROM coalesce(t.status, 'disconnected'))
  RETURNING d.store_id, d.instance, d.default_team_id, b.status IS DISTINCT FROM d.status AS changed)
SELECT store_id AS "storeId", instance, default_team_id AS team FROM seen WHERE changed`;

const RECORD = `
  SELECT ${deviceRecord('c', 's')} AS record FROM (SELECT $1::text AS store_id, $2::text AS instance, $3::text AS team_id) c JOIN stores s ON s.store_id = c.store_id`;

interface Changed {
  readonly storeId: string;
  readonly instance: string;
  readonly team: string | null;
}

/** Asks the gateway from time to time how its devices are; clients hear of a change. */
export class DevicePoll implements Component {
  readonly name = 'device poll';
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> | undefined;

  constructor(private readonly options: DevicePollOptions) {}

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
    const { sql, gateway, announcer } = this.options;
    const told = (await gateway.devices()).map(({ instance, status }) => ({
      instance,
      status: STATUS.get(status) ?? 'disconnected',
    }));
    const changed = await sql.prepared<Changed>('device_poll', APPLY_STATUS, [JSON.stringify(told)]);
    for (const { storeId, instance, team } of changed) {
      const [row] = await sql.prepared<{ record: object }>('device_record', RECORD, [storeId, instance, team]);
      if (row) announcer.deviceChanged(storeId, row.record);
    }
  }

  /** A round that is slow is not overtaken by the next. */
  private run(): void {
    this.current ??= this.poll()
      .catch((cause: unknown) => this.options.logger.warn('the gateway did not say how its devices are', { cause }))
      .finally(() => (this.current = undefined));
  }
}
