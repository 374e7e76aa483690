import type { Database } from '@platform/data';
import { storableJson } from '@platform/runtime';
import type { EngineEvent, Jid, NeutralMessage, NeutralReaction, OutContent, SendOptions } from '../engine.types';

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

/** What a customer did: the network keeps it until the device has taken it. */
export type Held =
  | { readonly message: NeutralMessage }
  | { readonly reaction: NeutralReaction }
  | { readonly event: EngineEvent; readonly payload: Readonly<Record<string, unknown>> };

export interface HeldMessage {
  readonly id: string;
  readonly chat: Jid;
  readonly content: Held;
}

/** What a device sent, with what it answers and whom it names. */
export type SentContent = OutContent & Omit<SendOptions, 'id'>;

export interface SentMessage {
  readonly instanceId: string;
  readonly id: string;
  /** Everybody who gets a copy. */
  readonly phones: readonly string[];
  readonly chat: Jid;
  readonly content: SentContent;
  readonly delayMs: number;
}

/** A message that has got further than its device was told. */
export interface Progress {
  readonly id: string;
  readonly chat: Jid;
  /** Whose copy it is. */
  readonly phone: string;
  readonly level: number;
  readonly reported: number;
}

export interface ShownMessage {
  readonly id: string;
  readonly instanceID: string;
  readonly chat: Jid;
  readonly content: SentContent;
  readonly level: number;
  readonly at: Date;
}

export type ConversationLine = {
  readonly id: string;
  readonly chat: Jid;
  readonly level: number;
  readonly at: Date;
} & (
  { readonly direction: 'in'; readonly content: Held } | { readonly direction: 'out'; readonly content: SentContent }
);

/** Milliseconds after the send: the server has it, the phone has it (design 5.5). */
const SENT_MS = 20;
const DELIVERED_MS = 70;

/** Those that can move now: behind a thousand that cannot, to a phone that is off, others would wait for ever. */
const ADVANCE = `
UPDATE sim_message m SET level = due.level FROM (
  SELECT t.id, t.phone, next.level
  FROM sim_message t LEFT JOIN sim_phone p ON p.nohp = t.phone CROSS JOIN LATERAL (SELECT CASE
    WHEN t.at + (${DELIVERED_MS} + t.delay_ms) * interval '1 millisecond' <= now() AND p.offline IS NOT TRUE THEN 2
    WHEN t.at + (${SENT_MS} + t.delay_ms) * interval '1 millisecond' <= now() THEN 1 ELSE t.level END AS level) next
  WHERE t.instance_id = $1 AND t.direction = 'out' AND t.level < 2 AND next.level > t.level ORDER BY t.seq LIMIT 1000
) due WHERE m.instance_id = $1 AND m.id = due.id AND m.phone = due.phone AND due.level > m.level`;

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

  /** The network keeps it until the device has taken it. */
  async hold(instanceId: string, phone: string, { id, chat, content }: HeldMessage): Promise<void> {
    await this.database.prepared(
      'sim_hold',
      `INSERT INTO sim_message (instance_id, id, direction, phone, chat, content) VALUES ($1, $2, 'in', $3, $4, $5)`,
      [instanceId, id, phone, chat, storableJson(content)],
    );
  }

  /** The words of a message, of whichever side. */
  async wordsOf(instanceId: string, id: string): Promise<string | undefined> {
    const [row] = await this.database.query<{ words: string | null }>(
      `SELECT coalesce(content->>'text', content->>'caption', content->>'name', content#>>'{message,text}', content#>>'{message,caption}') AS words
       FROM sim_message WHERE instance_id = $1 AND id = $2 LIMIT 1`,
      [instanceId, id],
    );
    return row?.words ?? undefined;
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
  async accept({ instanceId, id, phones, chat, content, delayMs }: SentMessage): Promise<void> {
    await this.database.prepared(
      'sim_accept',
      `INSERT INTO sim_message AS m (instance_id, id, direction, phone, chat, content, delay_ms) SELECT $1, $2, 'out', phone, $4, $5, $6 FROM unnest($3::text[]) phone
       ON CONFLICT (instance_id, id, phone) DO UPDATE SET copies = m.copies + 1, reported = 0, delay_ms = excluded.delay_ms`,
      [instanceId, id, phones, chat, JSON.stringify(content), delayMs],
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
      `SELECT id, chat, phone, level, reported FROM sim_message
       WHERE instance_id = $1 AND direction = 'out' AND reported < level ORDER BY seq LIMIT 200`,
      [instanceId],
    );
  }

  async reported(instanceId: string, { id, phone, level }: Progress): Promise<void> {
    const sql =
      'UPDATE sim_message SET reported = $4 WHERE instance_id = $1 AND id = $2 AND phone = $3 AND reported < $4';
    await this.database.prepared('sim_reported', sql, [instanceId, id, phone, level]);
  }

  /** What the phone shows; a message on its way is not there yet. */
  inbox(nohp: string): Promise<ShownMessage[]> {
    return this.database.query<ShownMessage>(
      `SELECT id, instance_id AS "instanceID", chat, content, level, at FROM sim_message
       WHERE phone = $1 AND direction = 'out' AND level >= 2 ORDER BY seq`,
      [nohp],
    );
  }

  /** Both sides of a phone's chats with one device: what it wrote, and what has reached it. */
  async conversation(nohp: string, instanceId: string): Promise<ConversationLine[]> {
    const newest = await this.database.query<ConversationLine>(
      `SELECT id, direction, chat, content, level, at FROM sim_message
       WHERE phone = $1 AND instance_id = $2 AND (direction = 'in' OR level >= 2) ORDER BY seq DESC LIMIT 200`,
      [nohp, instanceId],
    );
    return newest.reverse();
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

  /** The device has seen what customers wrote. */
  async seen(instanceId: string, ids: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE sim_message SET level = 3 WHERE instance_id = $1 AND id = ANY ($2) AND direction = 'in' AND level = 2`,
      [instanceId, ids],
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
