import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { isUuid, uuidv7, type Clock } from '@platform/runtime';
import { cookieOf, setCookie } from './cookies';

const DRAFT_COOKIE = 'draft';
/** What was typed is kept so long, and no more of it. */
const [KEPT, KEPT_SECONDS] = ['30 minutes', 1_800];
const MOST_BYTES = 64 * 1024;
/** Never kept, whatever form they stand in. */
const SECRET = /password|pin\b|_pin|otp|token|secret/i;

export type Typed = Readonly<Record<string, unknown>>;

/** What was typed into one of the forms of a page. */
export interface Draft {
  /** Which form it was, where there are several. */
  readonly action?: string;
  readonly fields: Typed;
}

export interface TakenDraft extends Draft {
  /** The cookie that forgets it. */
  readonly forget: string;
}

interface Owner {
  readonly user_id: string;
  readonly store_id: string;
}

/** Tabs of one person that were open. The oldest make room: who has a session that is over could fill the disk otherwise. */
const MOST_OF_PERSON = 10;

const INSERT = `
  WITH others AS (
    DELETE FROM form_draft WHERE store_id = $1 AND user_id = $3 AND id NOT IN (
      SELECT id FROM form_draft WHERE store_id = $1 AND user_id = $3 ORDER BY id DESC LIMIT ${MOST_OF_PERSON - 1}))
  INSERT INTO form_draft (store_id, id, user_id, path, fields_enc, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;
const TAKE = `DELETE FROM form_draft WHERE store_id = $1 AND id = $2 AND user_id = $3 AND path = $4
  AND created_at > $5::timestamptz - interval '${KEPT}' RETURNING fields_enc`;

/** A text, or several of one name; no file. */
const isText = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isText) : typeof value === 'string' && value !== '';

const purposeOf = (id: string): string => `form_draft ${id}`;

/** What somebody had typed into a form when their session ended; only the same person in the same store gets it back. */
export class Drafts {
  constructor(
    private readonly parts: {
      readonly sql: Sql;
      readonly box: SecretBox;
      readonly clock: Clock;
      readonly secure: boolean;
    },
  ) {}

  /** Resolves to the cookie by which the browser finds it again. Undefined: there is nothing in it to keep, or too much. */
  async keep({ user_id, store_id }: Owner, path: string, { action, fields }: Draft): Promise<string | undefined> {
    const open = Object.entries(fields).filter(([name, value]) => isText(value) && !SECRET.test(name));
    const text = JSON.stringify({ action, fields: Object.fromEntries(open) });
    if (open.length === 0 || Buffer.byteLength(text) > MOST_BYTES) return undefined;
    const { sql, box, clock, secure } = this.parts;
    const id = uuidv7();
    await sql.query(INSERT, [store_id, id, user_id, path, box.seal(text, purposeOf(id)), clock.now()]);
    return setCookie(DRAFT_COOKIE, id, { secure, maxAge: KEPT_SECONDS });
  }

  /** What this browser had typed at this page, once. Undefined: nothing, or it was somebody else, or in another store. */
  async take(cookies: string | undefined, { user_id, store_id }: Owner, path: string): Promise<TakenDraft | undefined> {
    const id = cookieOf(cookies, DRAFT_COOKIE);
    if (id === undefined || !isUuid(id)) return undefined;
    const { sql, box, clock, secure } = this.parts;
    const [row] = await sql.query<{ fields_enc: string }>(TAKE, [store_id, id, user_id, path, clock.now()]);
    if (!row) return undefined;
    const draft = JSON.parse(box.open(row.fields_enc, purposeOf(id))) as Draft;
    return { ...draft, forget: setCookie(DRAFT_COOKIE, '', { secure, maxAge: 0 }) };
  }
}
