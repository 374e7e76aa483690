import type { Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { MediaStore } from './media.store';

const BATCH = 200;
const MOST_BATCHES = 50;
const DAY_MS = 24 * 3600 * 1000;

/** Messages of a campaign share one file: it is as old as the end of the campaign. */
const OLD = `jsonb_exists(m.media, 'name') AND m.waktu < $1::timestamptz AND NOT EXISTS (
    SELECT 1 FROM broadcasts b WHERE b.store_id = m.store_id AND b.id = m.broadcast_id::uuid AND (b.finished_at IS NULL OR b.finished_at >= $1::timestamptz))`;

/** Messages whose file is older than $1, oldest first: one range of messages_files. $2 most */
export const OLD_FILES = `
  SELECT m.media->>'name' AS name FROM messages m WHERE ${OLD} ORDER BY m.waktu LIMIT $2::int`;
/** They keep what was said of the file, without the file. $3 names */
const FORGET_FILES = `
  WITH old AS MATERIALIZED (SELECT m.store_id, m.conversation_id, m.seq, m.media->>'name' AS name FROM messages m
    WHERE ${OLD} ORDER BY m.waktu LIMIT $2::int)
  UPDATE messages m SET media = m.media - 'name' FROM old o
  WHERE m.store_id = o.store_id AND m.conversation_id = o.conversation_id AND m.seq = o.seq AND o.name = ANY ($3::text[]) RETURNING 1 AS yes`;

/** Events with attachments older than $1: one range of chat_histories_files. */
export const OLD_ATTACHMENTS = `
  SELECT h.store_id, h.conversation_id, h.id, h.lampiran FROM chat_histories h
  WHERE h.lampiran @? '$[*].url ? (@ != null)' AND h.waktu < $1::timestamptz ORDER BY h.waktu LIMIT $2::int`;
const FORGET_ATTACHMENTS = `
  UPDATE chat_histories h SET lampiran = (SELECT jsonb_agg(f.file || '{"url":null}') FROM jsonb_array_elements(h.lampiran) AS f(file))
  FROM json_to_recordset($1::json) AS o (store_id text, conversation_id uuid, id uuid)
  WHERE h.store_id = o.store_id AND h.conversation_id = o.conversation_id AND h.id = o.id RETURNING 1 AS yes`;

interface OldAttachments {
  readonly store_id: string;
  readonly conversation_id: string;
  readonly id: string;
  readonly lampiran: readonly { readonly url: string }[];
}

export interface MediaAgeOptions {
  readonly store: Pick<MediaStore, 'discard'>;
  /** MEDIA_TTL_DAYS; undefined: files are kept for ever. */
  readonly days: number | undefined;
  readonly clock: Clock;
}

/** Removes files after their time (design 3.6): the file first, then its name, so that a crash in between is finished by the next run. */
export class MediaAge {
  constructor(
    private readonly sql: Sql,
    private readonly options: MediaAgeOptions,
  ) {}

  async run(): Promise<void> {
    const { days, clock } = this.options;
    if (days === undefined) return;
    const before = new Date(clock.now().getTime() - days * DAY_MS);
    await this.inBatches(() => this.messages(before));
    await this.inBatches(() => this.attachments(before));
  }

  private async inBatches(next: () => Promise<number>): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) if ((await next()) < BATCH) return;
  }

  private async messages(before: Date): Promise<number> {
    const rows = await this.sql.prepared<{ name: string }>('media_old_files', OLD_FILES, [before, BATCH]);
    const names = rows.map(({ name }) => name);
    for (const name of names) await this.options.store.discard(name);
    if (names.length > 0) await this.sql.prepared('media_forget_files', FORGET_FILES, [before, BATCH, names]);
    return names.length;
  }

  private async attachments(before: Date): Promise<number> {
    const rows = await this.sql.prepared<OldAttachments>('media_old_attachments', OLD_ATTACHMENTS, [before, BATCH]);
    for (const { lampiran } of rows)
      for (const { url } of lampiran) await this.options.store.discard(url.replace(/^media:/, ''));
    if (rows.length > 0)
      await this.sql.prepared('media_forget_attachments', FORGET_ATTACHMENTS, [JSON.stringify(rows)]);
    return rows.length;
  }
}
