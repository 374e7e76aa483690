import { diffOf, writeAudit, type Database, type Sql, type Transaction } from '@platform/data';
import { NotFound } from '@platform/errors';
import { uuidv7, type Clock } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { StoreAddress } from '../../../address.dto';
import { auditOf } from '../../../audit';
import { limits } from '../../../limits';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import type { Pushes } from '../../identity/access/public';
import { aiRepliesOf } from '../../billing/subscriptions/public';
import type { NewStoreBody, PublicStore, StoreStatusChange, StoreChange, StoreView } from './store.dto';
import { createStore } from './store.sql';

type Row = Omit<StoreView, 'url'> & { readonly status_message: string | null };

const COLUMNS = `store_id AS id, name, slug, currency, timezone, status, status_message, logo_url, description, phone,
  address, hours, kyc_status`;
const BY_ID = `SELECT ${COLUMNS} FROM store WHERE store_id = $1`;

/** A slug is found where it was claimed; a suspended store is not shown. */
const BY_SLUG = `
  SELECT s.name, s.slug, s.logo_url, s.description, s.address->>'city' AS city, s.hours, s.status
  FROM global_key k JOIN store s ON s.store_id = k.store_id
  WHERE k.kind = 'slug' AND k.value = $1 AND s.status <> 'suspended'`;

const UPDATE = `
  UPDATE store SET name = $2, description = $3, phone = $4, address = $5, hours = $6, status = $7, status_message = $8,
    updated_at = greatest($9, updated_at + interval '1 millisecond')
  WHERE store_id = $1`;

export interface StoreParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly pushes: Pushes;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

/** What couriers know a place by, besides its area. */
const PLACE = ['district', 'city', 'province', 'postcode'] as const;
/** An area that was found for another place would price parcels from there. */
const placed = (before: StoreAddress | null, now: StoreAddress): StoreAddress => {
  const { name, phone, note, area_id } = before ?? {};
  const isThere = PLACE.every((part) => (before?.[part] ?? '') === (now[part] ?? ''));
  const asked = { name: now.name ?? name, phone: now.phone ?? phone, note: now.note ?? note };
  return { ...now, ...asked, area_id: now.area_id ?? (isThere ? area_id : undefined) };
};

/** What the form of the profile shows. */
export const editableOf = ({ name, description, phone, address, hours }: Omit<StoreView, 'url'>): object => ({
  ...{ name, description, phone, address, hours },
});

/** The shop itself, as its members and its customers see it. */
export class StoreService {
  constructor(private readonly parts: StoreParts) {}

  async show(storeId: string): Promise<StoreView> {
    return this.view(await this.row(this.parts.database, BY_ID, storeId));
  }

  /** What customers are told while it is closed. */
  async closedWith(storeId: string): Promise<string | null> {
    return (await this.row(this.parts.database, BY_ID, storeId)).status_message;
  }

  /** And what its plan lets the bot answer. */
  async showToBot(storeId: string): Promise<StoreView> {
    const { database, clock } = this.parts;
    const [store, ai] = await Promise.all([this.show(storeId), aiRepliesOf(database, storeId, clock.now())]);
    return { ...store, ...(ai && { ai }) };
  }

  change(caller: Caller, change: StoreChange): Promise<StoreView> {
    return this.write(caller, (row) => ({ ...row, ...change }));
  }

  /**
   * The same by a form that shows of the address where it is: whom to ask for there stays, and the area while it is the same place. Throws
   * `version_conflict` when it is not any more what was `seen`.
   */
  changeShown(caller: Caller, change: StoreChange, seen: string): Promise<StoreView> {
    return this.write(caller, (row) => {
      demandSeen(seen, editableOf(row));
      const { address = row.address } = change;
      return { ...row, ...change, address: change.address ? placed(row.address, change.address) : address };
    });
  }

  /** Opens or closes the shop for customers. */
  setStatus(caller: Caller, { status, message }: StoreStatusChange): Promise<StoreView> {
    const told = status === 'closed' ? (message ?? null) : null;
    return this.write(caller, (row) => ({ ...row, status, status_message: told }));
  }

  /**
   * Another store of the person who asks, in the caller's transaction. It takes a place of the plan of the store that they are in; the
   * siblings hear of it by jobs of the same transaction.
   */
  async open(tx: Transaction, caller: Caller, { name }: NewStoreBody): Promise<StoreView> {
    const { pushes, clock } = this.parts;
    if (caller.kind !== 'user') throw refusals.tokenNotAllowed();
    await limits.require(tx, caller.storeId, 'stores');
    const { timezone } = await this.row(tx, BY_ID, caller.storeId);
    const [storeId, now] = [uuidv7(), clock.now()];
    await createStore(tx, { storeId, name, timezone, ownerId: caller.actor, now });
    await pushes.store(tx, storeId);
    await pushes.member(tx, storeId, caller.actor, now);
    const subject = { type: 'store', id: storeId };
    const audit = { ...auditOf(caller, clock), tenantId: storeId };
    await writeAudit(tx, audit, { action: 'settings.write', subject, diff: diffOf(undefined, { name }) });
    return this.view(await this.row(tx, BY_ID, storeId));
  }

  async publicProfile(slug: string): Promise<PublicStore> {
    const [store] = await this.parts.database.query<PublicStore>(BY_SLUG, [slug]);
    if (!store) throw new NotFound('Store not found');
    return store;
  }

  private async write(caller: Caller, change: (row: Row) => Row): Promise<StoreView> {
    const { database, pushes, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      const before = await this.row(tx, `${BY_ID} FOR NO KEY UPDATE`, storeId);
      // Suspended meanwhile
      if (before.status === 'suspended') throw refusals.storeSuspended();
      const after = change(before);
      const { name, description, phone, address, hours, status, status_message } = after;
      const json = [address && JSON.stringify(address), JSON.stringify(hours)];
      await tx.query(UPDATE, [storeId, name, description, phone, ...json, status, status_message, clock.now()]);
      const subject = { type: 'store', id: storeId };
      await writeAudit(tx, auditOf(caller, clock), { action: 'settings.write', subject, diff: diffOf(before, after) });
      if (name !== before.name || status !== before.status) await pushes.store(tx, storeId);
      return this.view(after);
    });
  }

  private async row(sql: Sql, text: string, storeId: string): Promise<Row> {
    const [row] = await sql.query<Row>(text, [storeId]);
    if (!row) throw refusals.unknownStore();
    return row;
  }

  private view({ status_message: _message, ...row }: Row): StoreView {
    const { publicUrl } = this.parts;
    return { ...row, url: publicUrl === undefined ? null : `${publicUrl}/s/${row.slug}` };
  }
}
