import type { Database } from '@platform/data';
import type { Jid, NeutralMessage, OutContent } from '../engine.types';

/** Misbehaviour that can be switched on. */
export interface SimulatorFaults {
  /** What devices send gets lost on the line: it arrives nowhere and is never acknowledged. */
  readonly drop: boolean;
  /** Added before every acknowledgement. */
  readonly delay_ms: number;
  /** Every customer's message reaches the device twice. */
  readonly dup: boolean;
  /** Every send is refused with WhatsApp's ack error 463 (reach-out time-lock). */
  readonly nack463: boolean;
}

export const noFaults: SimulatorFaults = { drop: false, delay_ms: 0, dup: false, nack463: false };

export interface Phone {
  readonly nohp: string;
  readonly name: string;
  readonly offline: boolean;
}

/** A customer's message that the device has not taken yet. */
export interface HeldMessage {
  readonly id: string;
  readonly chat: Jid;
  readonly content: NeutralMessage;
}

export interface SentMessage {
  readonly instanceId: string;
  readonly id: string;
  /** Empty for a group: then it reaches no phone. */
  readonly phone: string;
  readonly chat: Jid;
  readonly content: OutContent;
  readonly delayMs: number;
}

/** A message that has got further than its device was told. */
export interface Progress {
  readonly id: string;
  readonly chat: Jid;
  readonly level: number;
  readonly reported: number;
}

export interface ShownMessage {
  readonly id: string;
  readonly instanceID: string;
  readonly content: OutContent;
  readonly level: number;
  readonly at: Date;
}

/** Milliseconds after the send: the server has it, the phone has it (design 5.5). */
const SENT_MS = 20;
const DELIVERED_MS = 70;

const ADVANCE = `
UPDATE sim_message m SET level = due.level FROM (
  SELECT t.id, CASE
    WHEN t.at + (${DELIVERED_MS} + t.delay_ms) * interval '1 millisecond' <= now() AND p.offline IS NOT TRUE THEN 2
    WHEN t.at + (${SENT_MS} + t.delay_ms) * interval '1 millisecond' <= now() THEN 1 ELSE t.level END AS level
  FROM sim_message t LEFT JOIN sim_phone p ON p.nohp = t.phone
  WHERE t.instance_id = $1 AND t.direction = 'out' AND t.level < 2 ORDER BY t.seq LIMIT 1000
) due WHERE m.instance_id = $1 AND m.id = due.id AND due.level > m.level`;

/** Milliseconds until the next level, null when nothing moves by itself. */
const NEXT_MOVE = `
SELECT ceil(min(extract(epoch FROM t.at - now()) * 1000 + t.delay_ms + CASE t.level WHEN 0 THEN ${SENT_MS} ELSE ${DELIVERED_MS} END)) AS wait
FROM sim_message t LEFT JOIN sim_phone p ON p.nohp = t.phone
WHERE t.instance_id = $1 AND t.direction = 'out' AND t.level < 2 AND (t.level = 0 OR p.offline IS NOT TRUE)`;

/** The phone network's memory: phones, links, and every message with how far it got. */
export class SimulatorStore {
  constructor(private readonly database: Database) {}

  async phone(nohp: string): Promise<Phone | undefined> {
    return (await this.database.query<Phone>('SELECT nohp, name, offline FROM sim_phone WHERE nohp = $1', [nohp]))[0];
  }

  /** Makes the phone, or keeps it; a name replaces the former one. */
  async savePhone(nohp: string, name?: string): Promise<Phone> {
    const [phone] = await this.database.query<Phone>(
      `INSERT INTO sim_phone AS p (nohp, name) VALUES ($1, coalesce($2, $3))
       ON CONFLICT (nohp) DO UPDATE SET name = coalesce($2, p.name) RETURNING nohp, name, offline`,
      [nohp, name ?? null, `Phone ${nohp.slice(-4)}`],
    );
    if (!phone) throw new Error('the phone was not stored');
    return phone;
  }

  async setOffline(nohp: string, offline: boolean): Promise<void> {
    await this.database.query('UPDATE sim_phone SET offline = $2 WHERE nohp = $1', [nohp, offline]);
  }

  async known(numbers: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ nohp: string }>('SELECT nohp FROM sim_phone WHERE nohp = ANY ($1)', [
      numbers,
    ]);
    return new Set(rows.map(({ nohp }) => nohp));
  }

  async linkedPhone(instanceId: string): Promise<Phone | undefined> {
    const [row] = await this.database.query<Phone>(
      'SELECT p.nohp, p.name, p.offline FROM sim_link l JOIN sim_phone p USING (nohp) WHERE l.instance_id = $1',
      [instanceId],
    );
    return row;
  }

  async instanceOf(nohp: string): Promise<string | undefined> {
    const sql = 'SELECT instance_id AS id FROM sim_link WHERE nohp = $1 ORDER BY instance_id LIMIT 1';
    return (await this.database.query<{ id: string }>(sql, [nohp]))[0]?.id;
  }

  async link(instanceId: string, nohp: string): Promise<void> {
    await this.database.query(
      'INSERT INTO sim_link VALUES ($1, $2) ON CONFLICT (instance_id) DO UPDATE SET nohp = excluded.nohp',
      [instanceId, nohp],
    );
  }

  async unlink(instanceId: string): Promise<void> {
    await this.database.query('DELETE FROM sim_link WHERE instance_id = $1', [instanceId]);
  }

  /** The network keeps a customer's message until the device has taken it. */
  async hold(instanceId: string, phone: string, message: NeutralMessage): Promise<void> {
    await this.database.prepared(
      'sim_hold',
      `INSERT INTO sim_message (instance_id, id, direction, phone, chat, content) VALUES ($1, $2, 'in', $3, $4, $5)`,
      [instanceId, message.id, phone, message.chat, JSON.stringify(message)],
    );
  }

  held(instanceId: string): Promise<HeldMessage[]> {
    return this.database.prepared<HeldMessage>(
      'sim_held',
      `SELECT id, chat, content FROM sim_message WHERE instance_id = $1 AND direction = 'in' AND level = 0 ORDER BY seq LIMIT 200`,
      [instanceId],
    );
  }

  async taken(instanceId: string, id: string): Promise<void> {
    await this.database.prepared('sim_taken', 'UPDATE sim_message SET level = 2 WHERE instance_id = $1 AND id = $2', [
      instanceId,
      id,
    ]);
  }

  /** A second copy with the same id is the same message, as on a phone; the server acknowledges it again. */
  async accept({ instanceId, id, phone, chat, content, delayMs }: SentMessage): Promise<void> {
    await this.database.prepared(
      'sim_accept',
      `INSERT INTO sim_message AS m (instance_id, id, direction, phone, chat, content, delay_ms) VALUES ($1, $2, 'out', $3, $4, $5, $6)
       ON CONFLICT (instance_id, id) DO UPDATE SET copies = m.copies + 1, reported = 0, delay_ms = excluded.delay_ms`,
      [instanceId, id, phone, chat, JSON.stringify(content), delayMs],
    );
  }

  /** Moves what is due; resolves to the milliseconds until something else is, or undefined. */
  async advance(instanceId: string): Promise<number | undefined> {
    await this.database.prepared('sim_advance', ADVANCE, [instanceId]);
    const [row] = await this.database.prepared<{ wait: string | null }>('sim_next_move', NEXT_MOVE, [instanceId]);
    return row?.wait == null ? undefined : Math.max(Number(row.wait), 1);
  }

  unreported(instanceId: string): Promise<Progress[]> {
    return this.database.prepared<Progress>(
      'sim_unreported',
      `SELECT id, chat, level, reported FROM sim_message
       WHERE instance_id = $1 AND direction = 'out' AND reported < level ORDER BY seq LIMIT 200`,
      [instanceId],
    );
  }

  async reported(instanceId: string, id: string, level: number): Promise<void> {
    const sql = 'UPDATE sim_message SET reported = $3 WHERE instance_id = $1 AND id = $2 AND reported < $3';
    await this.database.prepared('sim_reported', sql, [instanceId, id, level]);
  }

  /** What the phone shows; a message on its way is not there yet. */
  inbox(nohp: string): Promise<ShownMessage[]> {
    return this.database.query<ShownMessage>(
      `SELECT id, instance_id AS "instanceID", content, level, at FROM sim_message
       WHERE phone = $1 AND direction = 'out' AND level >= 2 ORDER BY seq`,
      [nohp],
    );
  }

  /** The person reads everything there is, of one device or of all; resolves to the devices to be told, once per message. */
  read(nohp: string, instanceId: string | undefined): Promise<{ instanceID: string }[]> {
    return this.database.query(
      `UPDATE sim_message SET level = 3 WHERE phone = $1 AND direction = 'out' AND level = 2 AND ($2::text IS NULL OR instance_id = $2)
       RETURNING instance_id AS "instanceID"`,
      [nohp, instanceId ?? null],
    );
  }

  play(id: string): Promise<{ instanceID: string }[]> {
    return this.database.query(
      `UPDATE sim_message SET level = 4 WHERE id = $1 AND direction = 'out' AND level >= 2 RETURNING instance_id AS "instanceID"`,
      [id],
    );
  }

  async faults(): Promise<SimulatorFaults> {
    const [row] = await this.database.query<{ faults: Partial<SimulatorFaults> }>('SELECT faults FROM sim_faults');
    return { ...noFaults, ...row?.faults };
  }

  async saveFaults(faults: SimulatorFaults): Promise<void> {
    await this.database.query(
      'INSERT INTO sim_faults (faults) VALUES ($1) ON CONFLICT (singleton) DO UPDATE SET faults = excluded.faults',
      [JSON.stringify(faults)],
    );
  }
}
