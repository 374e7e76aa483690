import type { Database, Sql } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import type { Upload } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { invalidTransition, machine } from '../../../machine';
import { notify } from '../../../notify';
import { refusals } from '../../../refusals';
import type { MediaLibrary } from '../../media/uploads/public';
import { waitingTime } from '../../sales/orders/public';
import { goOnWaiting, paymentRefusals, recordPayment, waitForReview } from '../../sales/payments/public';
import type { Proof, ProofBody, ProofReview, ProofState } from './proofs.dto';
import { addProof, decideProof, findProof, proofById, proofEvent, shownProof, type StoredProof } from './proofs.sql';

export type { MediaLibrary };

const proofMachine = machine<ProofState, ProofReview['decision']>({
  pending: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: {},
});

interface Payable {
  readonly number: string;
  readonly status: string;
  readonly payment_status: string;
  readonly paid: boolean;
  readonly suspended: boolean;
}

const ORDER = `SELECT number, status, payment_status, paid_at IS NOT NULL AS paid,
    (SELECT s.status = 'suspended' FROM store s WHERE s.store_id = $1) AS suspended FROM sales_order WHERE store_id = $1 AND id = $2`;

const orderOf = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<Payable> => {
  const [order] = await sql.query<Payable>(`${ORDER} ${lock}`, [storeId, id]);
  if (order) return order;
  throw new NotFound('Order not found');
};

/** A proof of what is no longer owed would only be taken for money; to a suspended store nobody is to pay. One that expired may still be paid. */
const refuseUnowed = ({ status, payment_status, paid, suspended }: Payable): void => {
  if (suspended) throw refusals.storeSuspended();
  if (paid) throw paymentRefusals.paid();
  if (status === 'cancelled' && payment_status !== 'expired') throw invalidTransition(status);
};

const reasonOf = ({ decision, note }: ProofReview): string | null => {
  if (decision === 'reject' && note === undefined)
    throw new InvalidInput([{ field: 'note', tag: 'required', message: 'note is a required field' }]);
  return note ?? null;
};

/** Pictures of transfers, and who says that the money came. */
export class ProofsService {
  constructor(
    private readonly database: Pick<Database, 'tx'> & Sql,
    private readonly media: MediaLibrary,
  ) {}

  /**
   * The order is not cancelled for want of its payment while a proof is to be looked at, for a week at most (ADR 101). Throws `NotFound`, `store_suspended`, `paid`, `invalid_transition` and
   * `too_many_proofs`, and what the library refuses; then no file stays. Under one `id` a proof is attached once, however often it is sent.
   */
  async attach(
    by: Writer,
    orderId: string,
    upload: Upload | undefined,
    { id = uuidv7(), ...body }: ProofBody & { readonly id?: string },
  ): Promise<Proof> {
    const { storeId } = by;
    // Before the file is kept: what is refused here leaves none behind
    refuseUnowed(await orderOf(this.database, storeId, orderId));
    const known = await this.sent(storeId, orderId, id);
    if (known) return known;
    const { id: mediaId } = await this.media.keep(by, upload, 'proof');
    try {
      return await this.database.tx((tx) => this.add(tx, by, { ...body, id, orderId, mediaId }));
    } catch (refused) {
      await this.media.delete(by, mediaId).catch(() => undefined);
      const other = await this.sent(storeId, orderId, id);
      if (other) return other;
      throw refused;
    }
  }

  private async sent(storeId: string, orderId: string, id: string): Promise<Proof | undefined> {
    const proof = await findProof(this.database, storeId, orderId, id);
    return proof && shownProof(proof, await this.media.find(this.database, storeId, proof.media_id));
  }

  private async add(tx: Sql, by: Writer, proof: Parameters<typeof addProof>[2]): Promise<Proof> {
    const order = await orderOf(tx, by.storeId, proof.orderId, 'FOR UPDATE');
    refuseUnowed(order);
    const added = await addProof(tx, by, proof);
    await waitForReview(tx, by, proof.orderId);
    await proofEvent(tx, by, proof.orderId, ['proof', 'Payment proof attached']);
    const notice = { storeId: by.storeId, id: `proof:${added.id}`, params: { number: order.number } };
    await notify(tx, { ...notice, event: 'proof.sent', url: `/orders/${proof.orderId}` });
    return shownProof(added, await this.media.hold(tx, by.storeId, proof.mediaId));
  }

  /**
   * Decides on a proof; of two who decide at once the second gets `invalid_transition`. A rejected one, the last that was to be looked at,
   * lets the order wait anew. Approving records the transfer, which may
   * throw `paid`, `gateway_payment` and `InvalidInput` for more than is due: then nothing was decided.
   */
  async review(by: Writer, orderId: string, review: ProofReview): Promise<Proof> {
    const note = reasonOf(review);
    return this.database.tx(async (tx) => {
      await orderOf(tx, by.storeId, orderId, 'FOR UPDATE');
      const before = await proofById(tx, by.storeId, orderId, review.proof_id);
      const status = proofMachine.next(before.status, review.decision);
      const decided = { id: before.id, status, amount: review.amount ?? before.amount, note };
      const after = await decideProof(tx, by, decided);
      await audited(tx, by, { action: 'payment.record', type: 'transfer_proof', id: before.id, before, after });
      await proofEvent(tx, by, orderId, [`proof_${status}`, note ?? '']);
      const shown = shownProof(after, await this.media.find(tx, by.storeId, after.media_id));
      if (status === 'approved') await this.settle(tx, by, after);
      else await goOnWaiting(tx, by, orderId, await waitingTime(tx, by));
      return shown;
    });
  }

  /** The last of the transaction: it locks the counter of receipts. */
  private async settle(tx: Sql, by: Writer, { order_id, amount }: StoredProof): Promise<void> {
    await recordPayment(tx, by, order_id, { method: 'transfer', amount: amount ?? undefined });
  }
}
