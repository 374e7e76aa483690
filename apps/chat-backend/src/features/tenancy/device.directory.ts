import type { Sql } from '@platform/data';
import { LruCache } from '@platform/runtime';
import { refusals } from './refusals';
import { homeTeam } from './scope';

/** What an inbound message needs to know about its device. */
export interface DeviceRoute {
  readonly storeId: string;
  readonly instance: string;
  /** Team of a new chat: the device's default, else the store's first team of kind cs. */
  readonly teamId: string | null;
  /** Whether a message of the store may be answered or handed out by itself: a bot, rules, a welcome text or a team's distribution. */
  readonly automated: boolean;
}

const ROUTE = `
  SELECT d.store_id AS "storeId", d.instance,
    d.bot_agent_id IS NOT NULL OR EXISTS (SELECT 1 FROM welcomes w WHERE w.store_id = d.store_id AND w.enabled)
      OR EXISTS (SELECT 1 FROM rules u WHERE u.store_id = d.store_id AND u.aktif)
      OR EXISTS (SELECT 1 FROM teams t WHERE t.store_id = d.store_id AND t.distribution <> 'manual') AS automated,
    ${homeTeam('d.store_id', 'd.default_team_id')} AS "teamId"
  FROM device_route r JOIN devices d ON d.store_id = r.store_id AND d.instance = r.instance
  WHERE r.instance = $1`;

const KEPT_MS = 60_000;
const MOST = 10_000;

/** Devices by instance, cached for 60 s: every callback asks, and devices hardly ever change. Unknown ones are not cached. */
export class DeviceDirectory {
  private readonly known = new LruCache<string, DeviceRoute>({ limit: MOST, ttlMs: KEPT_MS });
  /** How often something was forgotten: an answer that is older than that must not be kept. */
  private changes = 0;

  constructor(private readonly sql: Sql) {}

  async find(instance: string): Promise<DeviceRoute | undefined> {
    const known = this.known.get(instance);
    if (known) return known;
    const { changes } = this;
    const [route] = await this.sql.prepared<DeviceRoute>('device_route', ROUTE, [instance]);
    if (!route) return undefined;
    if (changes === this.changes) this.known.set(instance, route);
    return route;
  }

  /** Throws the contract's `device not found`. */
  async demand(instance: string): Promise<DeviceRoute> {
    const route = await this.find(instance);
    if (!route) throw refusals.deviceNotFound();
    return route;
  }

  /** Something that routes are derived from has changed in this store. */
  forget(storeId: string): void {
    this.changes += 1;
    this.known.deleteWhere((route) => route.storeId === storeId);
  }
}
