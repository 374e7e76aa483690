import { isUniqueViolation, listingOf, type Sql } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import type { ChatCopies } from '../../chat/copies/public';
import { swapFile, type Files } from '../reply.file';
import { QuickRepliesQuery, type QuickReply, type QuickReplyBody, type QuickReplyChange } from './replies.dto';

/** All of them are offered while somebody types. */
const MOST_REPLIES = 500;
const COLUMNS = 'r.id, r.shortcut, r.body, r.media_id';

export const replyRefusals = {
  taken: (): Failure => new Conflict('The shortcut is taken', { code: 'shortcut_taken' }),
  tooMany: (): Failure =>
    new Conflict(`A store has at most ${MOST_REPLIES} quick replies`, { code: 'too_many_replies' }),
} as const;

export const replyListing = listingOf(QuickRepliesQuery, {
  from: 'quick_reply r',
  tenant: 'r.store_id',
  select: COLUMNS,
  sort: { shortcut: 'lower(r.shortcut)', created_at: 'r.created_at' },
  usualSort: 'shortcut',
  tie: 'r.id',
  words: ['r.shortcut', 'r.body'],
  where: {},
  read: (row: QuickReply) => row,
});

export interface ReplyParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  readonly files: Files;
}

const named = async <T>(written: Promise<T>): Promise<T> =>
  written.catch((cause: unknown) => {
    throw isUniqueViolation(cause) ? replyRefusals.taken() : cause;
  });

const BY_ID = `SELECT ${COLUMNS} FROM quick_reply r WHERE r.store_id = $1 AND r.id = $2 FOR UPDATE`;
const replyById = async (tx: Sql, storeId: string, id: string): Promise<QuickReply> => {
  const [row] = await tx.query<QuickReply>(BY_ID, [storeId, id]);
  if (row) return row;
  throw new NotFound('Quick reply not found');
};

const BY_NAME = `SELECT r.body, r.media_id FROM quick_reply r WHERE r.store_id = $1 AND r.id::text = lower($2)`;

/** What one says, for who sends it; undefined where there is none. */
export const quickReply = async (
  sql: Sql,
  storeId: string,
  id: string,
): Promise<Pick<QuickReply, 'body' | 'media_id'> | undefined> =>
  (await sql.prepared<Pick<QuickReply, 'body' | 'media_id'>>('quick reply', BY_NAME, [storeId, id]))[0];

const told = async (tx: Sql, { copies }: ReplyParts, by: Writer, before?: QuickReply, after?: QuickReply) => {
  const id = (after ?? before)?.id ?? '';
  await audited(tx, by, { action: 'template.write', type: 'quick_reply', id, before, after });
  await copies.touched(tx, by.storeId, 'templates', [id]);
};

const INSERT = `
  INSERT INTO quick_reply AS r (store_id, id, shortcut, body, media_id, created_at, updated_at)
  SELECT $1::varchar, $2, normalize($3::text), $4, $5, $6, $6
  WHERE (SELECT count(*) FROM quick_reply o WHERE o.store_id = $1) < ${MOST_REPLIES} RETURNING ${COLUMNS}`;

/** Throws `shortcut_taken`, in any case of its letters, `too_many_replies`, and `NotFound` for a file. */
export const createReply = async (
  tx: Sql,
  parts: ReplyParts,
  by: Writer,
  body: QuickReplyBody,
): Promise<QuickReply> => {
  const { shortcut, body: text, media_id = null } = body;
  // One at a time in a store, so that the count stays true
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('quick replies ' || $1, 0))`, [by.storeId]);
  await swapFile(tx, parts.files, by, { before: null, after: media_id, field: 'media_id' });
  const values = [by.storeId, uuidv7(), shortcut, text, media_id, by.at];
  const [row] = await named(tx.query<QuickReply>(INSERT, values));
  if (!row) throw replyRefusals.tooMany();
  await told(tx, parts, by, undefined, row);
  return row;
};

const UPDATE = `
  UPDATE quick_reply r SET shortcut = normalize($3::text), body = $4, media_id = $5, updated_at = $6
  WHERE r.store_id = $1 AND r.id = $2 RETURNING ${COLUMNS}`;

/** The file stays as it is unless it is given. Throws `version_conflict` when it is not any more what was `seen` of it. */
export const changeReply = async (
  tx: Sql,
  parts: ReplyParts,
  by: Writer,
  [id, change, seen]: readonly [id: string, change: QuickReplyChange, seen?: string],
): Promise<QuickReply> => {
  const before = await replyById(tx, by.storeId, id);
  demandSeen(seen, before);
  const { shortcut, body, media_id = before.media_id } = change;
  await swapFile(tx, parts.files, by, { before: before.media_id, after: media_id, field: 'media_id' });
  const [after = before] = await named(tx.query<QuickReply>(UPDATE, [by.storeId, id, shortcut, body, media_id, by.at]));
  await told(tx, parts, by, before, after);
  return after;
};

export const deleteReply = async (tx: Sql, parts: ReplyParts, by: Writer, id: string): Promise<void> => {
  const before = await replyById(tx, by.storeId, id);
  await tx.query('DELETE FROM quick_reply WHERE store_id = $1 AND id = $2', [by.storeId, id]);
  await swapFile(tx, parts.files, by, { before: before.media_id, after: null, field: 'media_id' });
  await told(tx, parts, by, before, undefined);
};
