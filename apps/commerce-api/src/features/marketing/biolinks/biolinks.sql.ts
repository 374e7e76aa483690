import { listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import type { MediaLibrary } from '../../media/uploads/public';
import { isReserved } from '../../../reserved.words';
import { claim, giveUp } from '../attribution/public';
import { BiolinksQuery, type Biolink, type BiolinkChange, type BiolinkRow, type NewBiolink } from './biolinks.dto';

/** As PostgreSQL returns them; only the pages know where they open. */
export type StoredRow = Omit<BiolinkRow, 'url'>;
export type StoredBiolink = Omit<Biolink, 'url'>;
type Written = StoredRow & { readonly avatar_media_id: string | null };
export type Pictures = Pick<MediaLibrary, 'hold' | 'hide'>;

const MOST_PAGES = 50;

export const biolinkRefusals = {
  slugTaken: (): Failure => new Conflict('The slug is taken', { code: 'slug_taken' }),
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_PAGES} pages`, { code: 'too_many_biolinks' }),
} as const;

const OWN = 'b.id, b.slug, b.title, b.bio, b.avatar_url, b.theme, b.published';
/** SQL: a block `k` as it is shown. */
export const BLOCK_SHOWN = `json_build_object('id', k.id, 'kind', k.kind, 'data', k.data, 'position', k.position, 'active', k.active)`;
/** SQL: the blocks of a page `b`, those alone that `only` lets through. */
export const blocksOf = (only = ''): string => `coalesce((SELECT json_agg(${BLOCK_SHOWN} ORDER BY k.position, k.id)
  FROM biolink_block k WHERE k.store_id = b.store_id AND k.biolink_id = b.id${only}), '[]')`;

export const biolinkListing = listingOf(BiolinksQuery, {
  from: 'biolink b',
  tenant: 'b.store_id',
  select: OWN,
  sort: { created_at: 'b.created_at', title: 'b.title' },
  usualSort: '-created_at',
  tie: 'b.id',
  words: ['b.title', 'b.slug'],
  where: {},
  read: (row: StoredRow) => row,
});

const BY_ID = `SELECT ${OWN}, ${blocksOf()} AS blocks FROM biolink b WHERE b.store_id = $1 AND b.id = $2`;

const notFound = (): Failure => new NotFound('Page not found');

/** With its blocks. Throws `NotFound`, also for one of another store. */
export const biolinkById = async (sql: Sql, storeId: string, id: string): Promise<StoredBiolink> => {
  const [row] = await sql.prepared<StoredBiolink>('biolink', BY_ID, [storeId, id]);
  if (row) return row;
  throw notFound();
};

const LOCK = `SELECT ${OWN}, b.avatar_media_id FROM biolink b WHERE b.store_id = $1 AND b.id = $2 FOR UPDATE`;

/** Whoever changes the page or its blocks has it for themselves until they commit. Throws `NotFound`. */
export const lockedBiolink = async (tx: Sql, storeId: string, id: string): Promise<Written> => {
  const [row] = await tx.query<Written>(LOCK, [storeId, id]);
  if (row) return row;
  throw notFound();
};

const AUDIT = { action: 'marketing.write', type: 'biolink' };

/** Throws `slug_taken`, `InvalidInput` for a word that the platform needs. */
const takeSlug = async (tx: Sql, { storeId }: By, id: string, slug: string): Promise<void> => {
  if (isReserved(slug))
    throw new InvalidInput([{ field: 'slug', tag: 'reserved', message: 'slug must be another: this one is reserved' }]);
  if (!(await claim(tx, 'biolink', { value: slug, storeId, id }))) throw biolinkRefusals.slugTaken();
};

/** Where the picture is seen, which stays as long as the page shows it. Throws `NotFound` for what is no public picture of the store. */
const heldPicture = async (tx: Sql, pictures: Pictures, storeId: string, id: string): Promise<string> => {
  const none = refusals.notHere('avatar_media_id', 'is not a public picture of this store');
  const { url, mime } = await pictures.hold(tx, storeId, id).catch((failure: unknown) => {
    throw failure instanceof NotFound ? none : failure;
  });
  if (url === null || !mime.startsWith('image/')) throw none;
  return url;
};

type Avatar = Pick<Written, 'avatar_media_id' | 'avatar_url'>;
const NO_AVATAR: Avatar = { avatar_media_id: null, avatar_url: null };
/** `wished` is undefined where the picture stays. */
const swapAvatar = async (
  tx: Sql,
  pictures: Pictures,
  by: By,
  [before, wished]: readonly [Avatar, string | null | undefined],
): Promise<Avatar> => {
  const { avatar_media_id: old, avatar_url } = before;
  if (wished === undefined || wished === old) return { avatar_media_id: old, avatar_url };
  const url = wished === null ? null : await heldPicture(tx, pictures, by.storeId, wished);
  if (old !== null) await pictures.hide(tx, by, old);
  return { avatar_media_id: wished, avatar_url: url };
};

const valuesOf = (page: Omit<Written, 'id' | 'published'>) => [
  ...[page.slug, page.title, page.bio, page.avatar_media_id, page.avatar_url, JSON.stringify(page.theme)],
];
const INSERT = `
  INSERT INTO biolink (store_id, id, slug, title, bio, avatar_media_id, avatar_url, theme, published, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, $3, $4, $5, $6::uuid, $7, $8::jsonb, false, $9::timestamptz, $9::timestamptz
  FROM biolink o WHERE o.store_id = $1 HAVING count(*) < ${MOST_PAGES} RETURNING id`;
/** One who adds a page to a store at a time, so that their number stays true. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('biolinks ' || $1, 0))`;

/** Not published yet. Throws `slug_taken`, `too_many_biolinks`, `InvalidInput`, `NotFound` for the picture. */
export const createBiolink = async (
  tx: Sql,
  pictures: Pictures,
  by: Writer,
  { avatar_media_id: wished, ...given }: NewBiolink,
): Promise<StoredBiolink> => {
  await tx.query(TURN, [by.storeId]);
  const id = uuidv7();
  await takeSlug(tx, by, id, given.slug);
  const avatar = await swapAvatar(tx, pictures, by, [NO_AVATAR, wished]);
  const page = { bio: null, theme: {}, ...given, ...avatar };
  if ((await tx.query(INSERT, [by.storeId, id, ...valuesOf(page), by.at])).length === 0)
    throw biolinkRefusals.tooMany();
  await audited(tx, by, { ...AUDIT, id, after: page });
  return biolinkById(tx, by.storeId, id);
};

const UPDATE = `
  UPDATE biolink SET slug = $3, title = $4, bio = $5, avatar_media_id = $6, avatar_url = $7, theme = $8, updated_at = $9
  WHERE store_id = $1 AND id = $2`;

/** What the form of a page shows. */
export const editableOf = ({ slug, title, bio, theme }: StoredRow): object => ({ slug, title, bio, theme });

/**
 * A slug that it gives up leads nowhere and stays with the store. Throws as `createBiolink` does, and `NotFound`; `version_conflict` when it is
 * not what a form has `seen` any more.
 */
export const changeBiolink = async (
  tx: Sql,
  pictures: Pictures,
  by: Writer,
  [id, { avatar_media_id: wished, ...change }, seen]: readonly [id: string, change: BiolinkChange, seen?: string],
): Promise<StoredBiolink> => {
  const before = await lockedBiolink(tx, by.storeId, id);
  demandSeen(seen, editableOf(before));
  const given = { ...before, ...change };
  if (given.slug !== before.slug) {
    await takeSlug(tx, by, id, given.slug);
    await giveUp(tx, 'biolink', { value: before.slug, storeId: by.storeId, at: by.at });
  }
  const after = { ...given, ...(await swapAvatar(tx, pictures, by, [before, wished])) };
  await tx.query(UPDATE, [by.storeId, id, ...valuesOf(after), by.at]);
  await audited(tx, by, { ...AUDIT, id, before, after });
  return biolinkById(tx, by.storeId, id);
};

const PUBLISH = 'UPDATE biolink SET published = $3, updated_at = $4 WHERE store_id = $1 AND id = $2';

/** Throws `NotFound`. */
export const publishBiolink = async (tx: Sql, by: Writer, id: string, published: boolean): Promise<StoredBiolink> => {
  const before = await lockedBiolink(tx, by.storeId, id);
  await tx.query(PUBLISH, [by.storeId, id, published, by.at]);
  await audited(tx, by, { ...AUDIT, id, before, after: { ...before, published } });
  return biolinkById(tx, by.storeId, id);
};

const DELETE = 'DELETE FROM biolink WHERE store_id = $1 AND id = $2';

/** With its blocks and what was counted; its slug stays with the store. Throws `NotFound`. */
export const deleteBiolink = async (tx: Sql, pictures: Pictures, by: Writer, id: string): Promise<void> => {
  const before = await lockedBiolink(tx, by.storeId, id);
  await tx.query(DELETE, [by.storeId, id]);
  await giveUp(tx, 'biolink', { value: before.slug, storeId: by.storeId, at: by.at });
  await swapAvatar(tx, pictures, by, [before, null]);
  await audited(tx, by, { ...AUDIT, id, before });
};

/** For tests of their plans. */
export const BIOLINK_STATEMENTS = { byId: BY_ID } as const;
