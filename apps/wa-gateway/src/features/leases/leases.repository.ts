import type { Sql } from '@platform/data';
import type { EngineKind } from '../../engines/engine.types';

/** Ours is what is free, has run out, or is ours already. The rows of others are not even locked: they renew them meanwhile. */
export const TAKE = `
WITH taken AS (
  INSERT INTO lease AS l (instance_id, owner, address, expires_at)
  SELECT id, $2, $3, now() + $4 * interval '1 second' FROM unnest($1::text[]) AS id
  WHERE NOT EXISTS (SELECT FROM lease h WHERE h.instance_id = id AND h.owner <> $2 AND h.expires_at > now())
  ON CONFLICT (instance_id) DO UPDATE SET owner = excluded.owner, address = excluded.address, expires_at = excluded.expires_at
  WHERE l.owner = excluded.owner OR l.expires_at <= now()
  RETURNING l.instance_id, old.owner AS former
), unseen AS (
  INSERT INTO lost_lease (instance_id, owner, lost_at) SELECT instance_id, former, now() FROM taken WHERE former <> $2
  ON CONFLICT (instance_id, owner) DO UPDATE SET lost_at = excluded.lost_at
)
SELECT instance_id AS id FROM taken`;

const HELD = 'SELECT FROM lease WHERE owner = $1 AND instance_id = $2 AND expires_at > now()';

/** One at a time, and only by who has the device now. */
export const FORGIVE = `
DELETE FROM lost_lease WHERE EXISTS (${HELD}) AND (instance_id, owner) = (
  SELECT instance_id, owner FROM lost_lease
  WHERE instance_id = $2 AND owner <> $1 AND lost_at > now() - interval '1 hour' ORDER BY lost_at DESC LIMIT 1
) RETURNING owner`;

/** One that has run out is not revived: somebody may be about to take it. */
export const RENEW = `
UPDATE lease SET expires_at = now() + $2 * interval '1 second'
WHERE owner = $1 AND instance_id = ANY ($3) AND expires_at > now() RETURNING instance_id AS id`;

/** Devices that no process serves, for each process in another order: they do not all reach for the same ones. */
export const FREE = `
SELECT d.instance_id AS id, d.engine FROM device d
WHERE NOT EXISTS (SELECT 1 FROM lease l WHERE l.instance_id = d.instance_id AND l.expires_at > now()) ORDER BY md5(d.instance_id || $1)`;

/** One row an address: who begins there takes the place of a predecessor that was killed. */
export const ATTEND = `
WITH here AS (
  INSERT INTO gateway_process (address, owner, expires_at) VALUES ($2, $1, now() + $3 * interval '1 second')
  ON CONFLICT (address) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
), gone AS (DELETE FROM gateway_process WHERE expires_at < now() - interval '1 hour' AND address <> $2),
forgotten AS (DELETE FROM lost_lease WHERE lost_at < now() - interval '1 hour')
SELECT (SELECT count(*) FROM device)::int AS devices,
  1 + (SELECT count(*) FROM gateway_process WHERE expires_at > now() AND address <> $2)::int AS processes`;

export interface Holder {
  /** Of this process and no other. */
  readonly owner: string;
  /** Where other processes reach it. */
  readonly address: string;
}

/** A device of nobody. */
export interface FreeDevice {
  readonly id: string;
  readonly engine: EngineKind;
}

/** Told when devices are anybody's: who has room takes them at once. */
export const FREED = 'wa_gateway_freed';

/**
 * A connection for heartbeats alone: where hundreds of devices ask for one of the pool, a renewal that queues behind them comes
 * too late, every line is closed, and opening them anew asks for even more.
 */
export const HEARTBEATS = { name: 'heartbeats', poolSize: 1, settings: {} };

/** Who serves which device; by the clock of the database, the only one that all processes share (design 3.8). */
export class LeasesRepository {
  /** `heartbeats`: a connection as `HEARTBEATS` says. */
  constructor(
    private readonly sql: Sql,
    private readonly heartbeats: Sql,
  ) {}

  /** Resolves to those of these devices that are the holder's now. */
  async take(instanceIds: readonly string[], { owner, address }: Holder, seconds: number): Promise<string[]> {
    // Everybody locks in one order, and nothing twice
    const values = [[...new Set(instanceIds)].sort(), owner, address, seconds];
    return (await this.sql.prepared<{ id: string }>('lease_take', TAKE, values)).map(({ id }) => id);
  }

  /** Where the device is served; undefined when the lease has ended meanwhile. */
  async addressOf(instanceId: string): Promise<string | undefined> {
    const text = 'SELECT address FROM lease WHERE instance_id = $1 AND expires_at > now()';
    return (await this.sql.prepared<{ address: string }>('lease_address', text, [instanceId]))[0]?.address;
  }

  async isHeldBy(owner: string, instanceId: string): Promise<boolean> {
    return (await this.sql.prepared('lease_held', HELD, [owner, instanceId])).length > 0;
  }

  /**
   * Whether there was a former owner, within an hour, whose lease ran out while it had the device, so that nobody saw it leave;
   * it is forgotten with that. False also when the device is not `owner`'s.
   */
  async forgive(owner: string, instanceId: string): Promise<boolean> {
    return (await this.sql.query(FORGIVE, [owner, instanceId])).length > 0;
  }

  async renew(owner: string, instanceIds: readonly string[], seconds: number): Promise<Set<string>> {
    return new Set(
      (await this.heartbeats.prepared<{ id: string }>('lease_renew', RENEW, [owner, seconds, instanceIds])).map(
        ({ id }) => id,
      ),
    );
  }

  /** This process is alive for so long. Resolves to how many devices there are, and processes with this one. */
  async attend({ owner, address }: Holder, seconds: number): Promise<{ devices: number; processes: number }> {
    const [all] = await this.heartbeats.prepared<{ devices: number; processes: number }>('lease_attend', ATTEND, [
      owner,
      address,
      seconds,
    ]);
    return all ?? { devices: 0, processes: 1 };
  }

  free(owner: string): Promise<FreeDevice[]> {
    return this.heartbeats.query<FreeDevice>(FREE, [owner]);
  }

  /** Of one device, or of all, and then nobody counts on this process any more. */
  async release(owner: string, instanceId?: string): Promise<void> {
    const text = 'DELETE FROM lease WHERE owner = $1 AND ($2::text IS NULL OR instance_id = $2)';
    await this.sql.query(text, [owner, instanceId ?? null]);
    if (instanceId === undefined) await this.sql.query('DELETE FROM gateway_process WHERE owner = $1', [owner]);
  }

  /** Not of a device that somebody could not put to work: nobody else should hurry to it. */
  async tellFreed(): Promise<void> {
    await this.sql.query('SELECT pg_notify($1, $2)', [FREED, '']);
  }

  /** Whether another process at our own address has devices, be it alive or gone. */
  async anyLeftAt({ owner, address }: Holder): Promise<boolean> {
    const text = 'SELECT 1 FROM lease WHERE address = $1 AND owner <> $2 LIMIT 1';
    return (await this.sql.query(text, [address, owner])).length > 0;
  }

  /** Ends what a former process at our own address has left behind. */
  async inherit({ owner, address }: Holder): Promise<void> {
    await this.sql.query('DELETE FROM lease WHERE address = $1 AND owner <> $2', [address, owner]);
  }
}
