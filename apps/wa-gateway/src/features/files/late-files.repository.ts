import { randomBytes } from 'node:crypto';
import type { Sql } from '@platform/data';
import type { MediaRef } from '../../engines/engine.types';

export interface LateFile {
  readonly name: string;
  readonly instanceId: string;
  readonly ref: MediaRef;
  readonly tries: number;
  /** Nobody will try again. */
  readonly isOld: boolean;
}

const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 3_600;
/** WhatsApp keeps files for weeks, and a phone that is off for a week-end can upload them again. */
const PATIENCE = '7 days';
/** Longer than a try takes: nobody makes two of one. */
const QUIET = '2 minutes';

const ADD = `
INSERT INTO late_file (name, instance_id, ref, next_at) VALUES ($1, $2, $3, now() + ${FIRST_PAUSE_SECONDS} * interval '1 second')`;

/** With the pause before the next try: whoever dies over one delays it, no more. */
export const CLAIM = `
UPDATE late_file SET tries = tries + 1, tried_at = now(), next_at = now() + (0.75 + random() / 2) *
  greatest(interval '${QUIET}', least(${LONGEST_PAUSE_SECONDS}, ${FIRST_PAUSE_SECONDS} * power(2, least(tries, 10))) * interval '1 second')
WHERE name = (
  SELECT name FROM late_file WHERE instance_id = $1 AND next_at <= now() ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING name, instance_id AS "instanceId", ref, tries, created_at < now() - interval '${PATIENCE}' AS "isOld"`;

const DUE = `
SELECT id FROM unnest($1::text[]) AS id
WHERE EXISTS (SELECT 1 FROM late_file WHERE instance_id = id COLLATE "C" AND next_at <= now())`;

/** Somebody wants it: the next try comes at once, unless there was one a moment ago. */
const EXPECT = `
WITH hurried AS (
  UPDATE late_file SET next_at = now(), asked_at = now()
  WHERE name = $1 AND next_at > now() AND greatest(tried_at, asked_at, created_at) < now() - interval '${QUIET}'
)
SELECT 1 FROM late_file WHERE name = $1`;

/** 32 hex digits: nobody can guess it, and what it is called by content is not known yet. */
const NAME = /^[0-9a-f]{32}$/;

/** Files that were promised. */
export class LateFilesRepository {
  constructor(private readonly sql: Sql) {}

  /** Resolves to the name that it will have under `/files`. */
  async add(tx: Sql, instanceId: string, ref: MediaRef): Promise<string> {
    const name = randomBytes(16).toString('hex');
    await tx.prepared('late_file_add', ADD, [name, instanceId, JSON.stringify(ref)]);
    return name;
  }

  /** Those of these devices that a file is due of. */
  async due(instanceIds: readonly string[]): Promise<string[]> {
    return (await this.sql.prepared<{ id: string }>('late_file_due', DUE, [instanceIds])).map(({ id }) => id);
  }

  /** A file that is due; it is due again after a pause that grows. */
  async claim(instanceId: string): Promise<LateFile | undefined> {
    return (await this.sql.prepared<LateFile>('late_file_claim', CLAIM, [instanceId]))[0];
  }

  /** Whether a file will be there under this name. */
  async expect(name: string): Promise<boolean> {
    return NAME.test(name) && (await this.sql.prepared('late_file_expect', EXPECT, [name])).length > 0;
  }

  /** It is there, or never will be. */
  async settle(name: string): Promise<void> {
    await this.sql.prepared('late_file_settle', 'DELETE FROM late_file WHERE name = $1', [name]);
  }
}
