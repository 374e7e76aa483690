import type { SigningKey } from '@platform/auth';
import { bigintNumber, type Sql } from '@platform/data';
import { Conflict, NotFound, Unavailable, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import { postTold, reverse } from '../../ledger/postings/public';
import { ownKey } from '../own-key';
import type { Charge, ChargeReversal, MadeCharge, NewCharge } from './charges.dto';
import { creditOf } from './credit';

const COLUMNS = `c.id, c.reference, c.service, c.amount, c.currency, c.application_id, c.account_id, c.created_at, c.reversed_at`;

interface Stored {
  readonly id: string;
  readonly reference: string;
  readonly service: string;
  readonly amount: string;
  readonly currency: string;
  readonly application_id: string;
  readonly account_id: string;
  readonly created_at: Date;
  readonly reversed_at: Date | null;
}
type Row = Omit<Stored, 'amount'> & { readonly amount: number };
const read = (row: Stored): Row => ({ ...row, amount: bigintNumber.from(row.amount) });

const shown = ({ id, reference, amount, currency, reversed_at }: Row): Charge => ({
  ...{ id, reference, amount, currency },
  reversed_at: reversed_at?.toISOString() ?? null,
});

/** Nothing where the key was used: whoever was first with it has committed. */
const INSERT = `
  INSERT INTO wallet_charge AS c (store_id, id, reference, service, amount, currency, purpose, application_id, account_id, description,
    idempotency_key, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, $3, $4, $5, s.currency, $6, $7, $8, $9, $10, $11::timestamptz, $11
  FROM store s WHERE s.store_id = $1 ON CONFLICT (store_id, idempotency_key) DO NOTHING RETURNING ${COLUMNS}`;
const OF_KEY = `SELECT ${COLUMNS} FROM wallet_charge c WHERE c.store_id = $1 AND c.idempotency_key = $2`;
/** Only the service that took the money gives it back. */
const LOCK = `SELECT ${COLUMNS} FROM wallet_charge c WHERE c.store_id = $1 AND c.id = $2 AND c.service = $3 FOR UPDATE`;
const REVERSE = `UPDATE wallet_charge c SET reversed_at = $3, reverse_reason = $4, updated_at = $3
  WHERE c.store_id = $1 AND c.id = $2 RETURNING ${COLUMNS}`;

export const chargeRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
  reversed: (): Failure => new Conflict('The charge was reversed', { code: 'charge_reversed' }),
  noKey: (): Failure => new Unavailable('Wallets are not charged here: COMMERCE_CREDIT_KEY is not set'),
} as const;

/** `act_` is how some write it; ads-api knows the digits. */
const digitsOf = (accountId: string): string => accountId.replace(/^act_/, '');
const targetOf = ({ amount, application_id, account_id }: NewCharge): string =>
  JSON.stringify([amount, application_id.toLowerCase(), digitsOf(account_id)]);

/** Money of a wallet that a service of the platform takes for its store. */
export class ChargesService {
  constructor(private readonly key: SigningKey | undefined) {}

  /**
   * Takes the money and states it. The same key again takes nothing: it is the same charge and the same credit, however much later.
   * Throws `insufficient_balance`, `idempotency_mismatch`, `charge_reversed` for a repeat of one that was, `NotFound` for an unknown store.
   */
  async charge(tx: Sql, by: Writer, body: NewCharge, key: string): Promise<MadeCharge> {
    if (!this.key) throw chargeRefusals.noKey();
    const own = ownKey(by, key);
    const row = (await this.insert(tx, by, body, own)) ?? (await this.known(tx, by, body, own));
    const { amount, currency } = row;
    // Before the accounts are locked: nobody waits for a signature
    const credit = await creditOf(this.key, row);
    const { wallet_available = 0 } = await postTold(tx, by, {
      ...{ key: `charge:${row.id}`, kind: 'charge', ref: row.id, currency },
      entries: [
        { account: 'wallet_available', side: 'D', amount },
        { account: 'ads_funds', side: 'C', amount },
      ],
    });
    return { ...shown(row), available_after: wallet_available, credit };
  }

  /** Gives the money back; a second time it is the same charge. Throws `NotFound`. */
  async reverse(tx: Sql, by: Writer, id: string, { reason }: ChargeReversal): Promise<Charge> {
    const [stored] = await tx.query<Stored>(LOCK, [by.storeId, id, by.actor]);
    if (!stored) throw new NotFound('Charge not found');
    const before = shown(read(stored));
    if (stored.reversed_at) return before;
    const [row] = (await tx.query<Stored>(REVERSE, [by.storeId, id, by.at, reason])) as [Stored];
    const undo = { key: `charge_reversed:${id}`, original: `charge:${id}`, kind: 'charge_reversed' as const };
    await reverse(tx, by, { ...undo, note: reason });
    const after = shown(read(row));
    await audited(tx, by, { action: 'wallet.charge', type: 'wallet_charge', id, before, after: { ...after, reason } });
    return after;
  }

  private async insert(tx: Sql, by: Writer, body: NewCharge, own: string): Promise<Row | undefined> {
    const { amount, purpose, application_id, account_id, description = null } = body;
    const id = uuidv7();
    const reference = `CHG-${id}`;
    const what = [amount, purpose, application_id, digitsOf(account_id), description];
    const values = [by.storeId, id, reference, by.actor, ...what, own, by.at];
    const [stored] = await tx.prepared<Stored>('wallet charge', INSERT, values);
    if (!stored) return undefined;
    const row = read(stored);
    const after = { ...shown(row), application_id, account_id: row.account_id };
    await audited(tx, by, { action: 'wallet.charge', type: 'wallet_charge', id, after });
    return row;
  }

  private async known(tx: Sql, by: Writer, body: NewCharge, own: string): Promise<Row> {
    const [stored] = await tx.query<Stored>(OF_KEY, [by.storeId, own]);
    if (!stored) throw new NotFound('Store not found');
    const row = read(stored);
    if (JSON.stringify([row.amount, row.application_id, row.account_id]) !== targetOf(body))
      throw chargeRefusals.keyUsed();
    if (row.reversed_at) throw chargeRefusals.reversed();
    return row;
  }
}
