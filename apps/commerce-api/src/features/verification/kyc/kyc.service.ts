import type { Database, Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { Writer } from '../../../by';
import { invalidTransition } from '../../../machine';
import { mediaRefusals, type MediaLibrary } from '../../media/uploads/public';
import type { DocumentKind, Kyc, KycFields, NewKyc } from './kyc.dto';
import { demandData, isComplete, isOpen, kycMachine, kycRefusals, nameIn } from './kyc.rules';
import { attachDocument, type KycRows } from './kyc.sql';

export type { MediaLibrary };

const ACCEPTED = /^(image\/(jpeg|png)|application\/pdf)$/;

/** What else becomes true in the transaction that approves a store. */
export type WhenApproved = (tx: Sql, by: Writer) => Promise<void>;

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly media: MediaLibrary;
  readonly rows: KycRows;
  /** Outside production: nobody has to decide. */
  readonly autoApprove: boolean;
  readonly whenApproved?: WhenApproved | undefined;
}

/** Who stands behind a store, and who has looked at it. */
export class KycService {
  constructor(private readonly parts: Parts) {}

  /** The same in the transaction of a form. */
  within(database: Parts['database']): KycService {
    return new KycService({ ...this.parts, database });
  }

  all(storeId: string): Promise<Kyc[]> {
    return this.parts.rows.all(this.parts.database, storeId);
  }

  /** Throws `InvalidInput` and `already_submitted`. */
  async begin(by: Writer, { kind, data }: NewKyc): Promise<Kyc> {
    const { database, rows } = this.parts;
    demandData(kind, data);
    const added = await database.tx((tx) => rows.add(tx, by, { id: uuidv7(), kind, data }));
    if (added) return added;
    throw kycRefusals.alreadySubmitted();
  }

  /** Other data; a rejected check that has its documents is sent in again by that. Throws `NotFound`, `InvalidInput`, `invalid_transition`. */
  correct(by: Writer, id: string, data: KycFields): Promise<Kyc> {
    const { database, rows } = this.parts;
    return database.tx(async (tx) => {
      const before = await this.open(tx, by, id);
      demandData(before.kind, data);
      await rows.write(tx, by, before, { data });
      const corrected = { ...before, data };
      if (before.status === 'rejected' && isComplete(before.kind, before.documents))
        await this.submit(tx, by, corrected);
      return rows.locked(tx, by.storeId, id);
    });
  }

  /**
   * Attaches a document in place of the one of its kind; the one that completes them sends the check in. Throws `NotFound`,
   * `invalid_transition`, and what the library refuses; then no file stays.
   */
  async attach(by: Writer, id: string, upload: Upload | undefined, kind: DocumentKind): Promise<Kyc> {
    const { database, media } = this.parts;
    // Before the file is kept: what is refused here leaves none behind
    await database.tx((tx) => this.open(tx, by, id));
    const kept = await media.keep(by, upload, 'document');
    try {
      if (!ACCEPTED.test(kept.mime)) throw mediaRefusals.wrongType();
      return await database.tx((tx) => this.add(tx, by, id, { kind, mediaId: kept.id }));
    } catch (refused) {
      await media.delete(by, kept.id).catch(() => undefined);
      throw refused;
    }
  }

  /** An operator's decision. Throws `NotFound`, `InvalidInput` for a rejection without a reason, and `invalid_transition`. */
  async decide(by: Writer, id: string, decision: 'approve' | 'reject', reason?: string): Promise<Kyc> {
    const { database, rows } = this.parts;
    if (decision === 'reject' && !reason?.trim())
      throw new InvalidInput([{ field: 'reason', tag: 'required', message: 'reason is a required field' }]);
    return database.tx(async (tx) => {
      const before = await rows.locked(tx, by.storeId, id);
      await this.decideLocked(tx, by, before, decision, reason);
      return rows.locked(tx, by.storeId, id);
    });
  }

  private async decideLocked(
    tx: Sql,
    by: Writer,
    before: Kyc,
    decision: 'approve' | 'reject',
    reason?: string,
  ): Promise<void> {
    const status = kycMachine.next(before.status, decision);
    const name = status === 'approved' ? nameIn(before.kind, before.data) : null;
    await this.parts.rows.write(tx, by, before, { status, name, reason: reason?.trim(), decided: true });
    if (status === 'approved') await this.parts.whenApproved?.(tx, by);
  }

  private async open(tx: Sql, { storeId }: Writer, id: string): Promise<Kyc> {
    const kyc = await this.parts.rows.locked(tx, storeId, id);
    if (isOpen(kyc.status)) return kyc;
    throw invalidTransition(kyc.status);
  }

  private async add(tx: Sql, by: Writer, id: string, added: { kind: DocumentKind; mediaId: string }): Promise<Kyc> {
    const { media, rows } = this.parts;
    const before = await this.open(tx, by, id);
    const former = before.documents.find(({ kind }) => kind === added.kind);
    await media.hold(tx, by.storeId, added.mediaId);
    await attachDocument(tx, by, id, added);
    if (former) await media.forget(tx, by, [former.media_id]);
    const wasComplete = isComplete(before.kind, before.documents);
    if (!wasComplete && isComplete(before.kind, [...before.documents, added])) await this.submit(tx, by, before);
    return rows.locked(tx, by.storeId, id);
  }

  private async submit(tx: Sql, by: Writer, before: Kyc): Promise<void> {
    const status = kycMachine.next(before.status, 'submit');
    await this.parts.rows.write(tx, by, before, { status });
    if (this.parts.autoApprove) await this.decideLocked(tx, by, { ...before, status, reason: null }, 'approve');
  }
}
