import type { Database, Sql } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { mediaTypeOf, mediaTypeOfFile, type Upload } from '@platform/http';
import { isUuid } from '@platform/runtime';
import type { By } from '../../../by';
import type { Arriving } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { putBytes, type ObjectStore } from '../storage/public';
import { keptWith } from './kept.with';
import { hashOf } from './media.hash';
import { audienceOf, mediaRefusals, PUBLIC, sweptWhenNew, type Kept } from './media.rules';
import { untellFile, untold } from './untold';

interface Announced {
  readonly id: string;
  readonly key: string;
  readonly mime: string;
  readonly bytes: string;
  readonly purpose: Kept;
}

const AWAITED = 'SELECT mime, bytes, confirmed_at FROM media WHERE store_id = $1 AND id = $2';
/** Locked: of two who bring the file at once one is too late. */
const ARRIVING = 'SELECT purpose, confirmed_at FROM media WHERE store_id = $1 AND id = $2 FOR UPDATE';
const PURPOSE = 'SELECT purpose FROM media WHERE store_id = $1 AND id = $2';
const ARRIVED = `UPDATE media SET key = $6, confirmed_at = $3, sha256 = $4, sweep_after = $5
  WHERE store_id = $1 AND id = $2`;

/** How many files that browsers have put are looked at in one go. */
const LOOKED_AT = 20;
/** What a store still waits for, the last announced first; $2 null: any. */
export const WAITED_FOR = `SELECT id, key, mime, bytes, purpose FROM media
  WHERE store_id = $1 AND confirmed_at IS NULL AND refs = 0 AND sweep_after IS NOT NULL AND ($2::uuid[] IS NULL OR id = ANY ($2))
  ORDER BY sweep_after DESC LIMIT ${LOOKED_AT}`;
const SETTLED = `UPDATE media SET key = $3, confirmed_at = $4, sweep_after = $5
  WHERE store_id = $1 AND id = $2 AND confirmed_at IS NULL RETURNING id`;
/** Bytes in which a file shows its type. */
const HEAD_BYTES = 512;

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly store: ObjectStore;
}

/** How files that were announced become files like the others: by exactly the bytes and the type that were said. */
export class MediaArrivals {
  constructor(private readonly parts: Parts) {}

  /** What was announced and has not come. Throws `expired` and `uploaded`. */
  async awaited(storeId: string, mediaId: string): Promise<Arriving> {
    type Row = Pick<Announced, 'mime' | 'bytes'> & { readonly confirmed_at: Date | null };
    const [row] = await this.parts.database.query<Row>(AWAITED, [storeId, mediaId]);
    if (!row) throw refusals.linkExpired();
    if (row.confirmed_at) throw mediaRefusals.arrived();
    return { storeId, mediaId, mime: row.mime, bytes: Number(row.bytes) };
  }

  /** What was announced has come through this service. Throws `UnsupportedMedia`, `expired` and `uploaded`. */
  async arrived({ storeId, mediaId, mime }: Arriving, { path, ...upload }: Upload, at: Date): Promise<void> {
    const { database, store } = this.parts;
    const { mimetype, extension } = await mediaTypeOfFile(path);
    if (mimetype !== mime) throw mediaRefusals.wrongType();
    type Row = Pick<Announced, 'purpose'> & { readonly confirmed_at: Date | null };
    const values = [storeId, mediaId];
    const [announced] = await database.query<Pick<Row, 'purpose'>>(PURPOSE, values);
    if (!announced) throw refusals.linkExpired();
    const isCut = PUBLIC.includes(announced.purpose) && (await untellFile(path, mime)) !== undefined;
    const sha256 = isCut ? await hashOf(path) : upload.sha256;
    // Under a key of its own: whoever is too late takes nobody's place
    const key = store.keyFor({ storeId, extension, audience: audienceOf(announced.purpose) });
    await store.put(key, path, mime);
    await keptWith(this.parts, key, async (tx) => {
      const [row] = await tx.query<Row>(ARRIVING, values);
      if (!row) throw refusals.linkExpired();
      if (row.confirmed_at) throw mediaRefusals.arrived();
      await tx.query(ARRIVED, [storeId, mediaId, at, sha256, sweptWhenNew(row.purpose, at), key]);
    });
  }

  /** The same as `settle`; false when the files cannot be reached: they are looked at the next time. */
  async look(by: Pick<By, 'storeId' | 'at'>, ids?: readonly string[]): Promise<boolean> {
    try {
      await this.settle(by, ids);
      return true;
    } catch (failure) {
      if (failure instanceof Unavailable) return false;
      throw failure;
    }
  }

  /**
   * Looks whether browsers have put what they had announced, of these ids or of any. What has come is a file from then on; what is not as it
   * was announced never becomes one.
   */
  async settle(by: Pick<By, 'storeId' | 'at'>, ids?: readonly string[]): Promise<void> {
    if (!this.parts.store.direct) return;
    const asked = ids?.filter(isUuid);
    if (!asked) return this.settleSome(by, null);
    // Every one of them: the sweep removes what was looked at and has not come
    for (let from = 0; from < asked.length; from += LOOKED_AT)
      await this.settleSome(by, asked.slice(from, from + LOOKED_AT));
  }

  private async settleSome({ storeId, at }: Pick<By, 'storeId' | 'at'>, ids: readonly string[] | null): Promise<void> {
    const rows = await this.parts.database.query<Announced>(WAITED_FOR, [storeId, ids]);
    await Promise.all(rows.map((row) => this.take(storeId, row, at)));
  }

  /** Copied first: the link that put it can put other bytes there until it ends. */
  private async take(storeId: string, row: Announced, at: Date): Promise<void> {
    const { database, store } = this.parts;
    if (!(await this.isAsAnnounced(row.key, row))) return;
    const extension = row.key.split('.').at(-1) ?? '';
    const key = store.keyFor({ storeId, extension, audience: audienceOf(row.purpose) });
    if (!(await store.direct?.copy(row.key, key, row.mime))) return;
    let isTaken = false;
    if ((await this.isAsAnnounced(key, row)) && (await this.showsItsType(key, row.mime))) {
      if (PUBLIC.includes(row.purpose)) await this.untell(key, row.mime);
      const values = [storeId, row.id, key, at, sweptWhenNew(row.purpose, at)];
      isTaken = (await database.query(SETTLED, values)).length > 0;
    }
    // What fails before this leaves files without a row, which the sweep finds
    await store.delete(isTaken ? row.key : key);
  }

  private async isAsAnnounced(key: string, { mime, bytes }: Announced): Promise<boolean> {
    const lying = await this.parts.store.head(key);
    return lying?.bytes === Number(bytes) && lying.mimetype?.toLowerCase() === mime;
  }

  /** The copy alone: nobody else has its key yet. */
  private async untell(key: string, mime: string): Promise<void> {
    const { store } = this.parts;
    const before = await store.get(key);
    const after = before && untold(before, mime);
    if (before && after && !after.equals(before)) await putBytes(store, { key, bytes: after });
  }

  private async showsItsType(key: string, mime: string): Promise<boolean> {
    const head = await this.parts.store.get(key, HEAD_BYTES);
    return head !== undefined && mediaTypeOf(head).mimetype === mime;
  }
}
