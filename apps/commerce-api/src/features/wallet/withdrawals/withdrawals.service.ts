import type { SecretBox } from '@platform/auth';
import { bigintNumber, type Database, type Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { Queue } from '../../../jobs';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { banks } from '../../paying/accounts/public';
import { mostAt } from '../accounts/public';
import { numberPurpose, payoutTarget, type PayoutTarget } from '../accounts/public';
import { ownKey } from '../own-key';
import type { PinKeeper, ProvenPin } from '../pin/public';
import { PIN_TRIES, pinRefusals } from '../pin/public';
import { isCovered, obstaclesOfAccount, obstaclesOfStore, standingOf, type Standing } from './obstacles';
import { lockMoney, moveWithdrawal } from './withdrawal.moves';
import { tooLarge, withdrawalRefusals } from './withdrawal.rules';
import type {
  NewWithdrawal,
  Obstacle,
  Withdrawal,
  WithdrawalInquiry,
  WithdrawalState,
  WithdrawalWish,
} from './withdrawals.dto';
import {
  insertWithdrawal,
  shownWithdrawal,
  withdrawalById,
  withdrawalOfKey,
  type WithdrawalRow,
} from './withdrawals.sql';

export interface WithdrawalParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly keeper: PinKeeper;
  readonly queue: Queue;
  /** On top of the amount, in the settlement unit. */
  readonly fee: number;
  /** Up to this sum a day nobody needs to approve. */
  readonly autoLimit: number;
}

const refusalOf: Readonly<
  Record<Exclude<Obstacle, 'pin_locked' | 'insufficient_balance' | 'amount_too_large'>, () => Error>
> = {
  kyc_required: withdrawalRefusals.kycRequired,
  pin_not_set: pinRefusals.notSet,
  withdraw_hold: withdrawalRefusals.hold,
  account_unverified: withdrawalRefusals.accountTooNew,
  account_too_new: withdrawalRefusals.accountTooNew,
};

/** The number of the account, sealed for the withdrawal that keeps a copy of it. */
export const withdrawalPurpose = (storeId: string, id: string): string => `withdrawal/${storeId}/${id}`;

const unknownAccount = () => refusals.notHere('bank_account_id', 'is not a payout account of this store');

/** What an operator has found out at the provider. */
export const words = ['paid', 'failed'] as const;
export type Word = (typeof words)[number];

/** An answer that is on its way is heard within this time: nobody ends a withdrawal that is being paid out. */
const ASKED_JUST_NOW = `SELECT 1 FROM withdrawal WHERE store_id = $1 AND id = $2 AND status = 'processing'
  AND updated_at > $3::timestamptz - interval '1 minute'`;
const SEEN = 'UPDATE withdrawal SET alert = NULL, updated_at = $3 WHERE store_id = $1 AND id = $2';
const isSaid = (status: WithdrawalState, word: Word): boolean => (word === 'paid') === (status === 'paid');
const isOpen = (status: WithdrawalState): boolean => status === 'approved' || status === 'processing';

/** Whoever is waiting for the wallet sees what its rival has taken of the day's limit. */
const LOCK_WALLET = 'SELECT 1 FROM wallet WHERE store_id = $1 FOR UPDATE';

/** Money that a store wants out of its wallet. */
export class WithdrawalsService {
  constructor(private readonly parts: WithdrawalParts) {}

  /** What a withdrawal would cost and what stands against it now. Throws `NotFound` for an account that is not the store's. */
  async inquire(by: Writer, { amount, bank_account_id }: WithdrawalWish): Promise<WithdrawalInquiry> {
    const { database, fee } = this.parts;
    const account = await payoutTarget(database, by.storeId, bank_account_id);
    if (!account) throw unknownAccount();
    const standing = await standingOf(database, by.storeId, by.at);
    const covered = await isCovered(database, by.storeId, standing.currency, amount + fee);
    const reasons: Obstacle[] = [
      ...obstaclesOfStore(standing, by.at),
      ...obstaclesOfAccount(account, amount, by.at),
      ...(covered ? [] : (['insufficient_balance'] as const)),
    ];
    const { bank_code, holder } = account;
    const terms = { amount, fee, received: amount, bank: banks[bank_code], holder };
    return { ...terms, allowed: reasons.length === 0, reasons };
  }

  /**
   * The PIN of a request, before its transaction; undefined where it was carried out before. A repeat is no other try. Throws as
   * `PinKeeper.prove` does.
   */
  async prove(by: Writer, key: string, pin: string): Promise<ProvenPin | undefined> {
    const { database, keeper } = this.parts;
    const own = ownKey(by, key);
    if (await withdrawalOfKey(database, by.storeId, own)) return undefined;
    return keeper.prove(by.storeId, { pin, field: 'pin', key: own });
  }

  /**
   * Locks the money and asks for its payout, by itself up to the day's limit. The same key again is the same withdrawal, however much
   * later. Throws `NotFound` for an account that is not the store's, and what `refusalOf` and the ledger say.
   */
  async request(
    tx: Sql,
    by: Writer,
    key: string,
    body: NewWithdrawal,
    proven: ProvenPin | undefined,
  ): Promise<Withdrawal> {
    const [{ storeId, at }, own] = [by, ownKey(by, key)];
    await tx.query(LOCK_WALLET, [storeId]);
    const known = await withdrawalOfKey(tx, storeId, own);
    if (known) return this.again(known, body);
    const standing = await standingOf(tx, storeId, at);
    // It was changed while this request was on its way
    if (standing.pin_hash !== proven?.hash) throw pinRefusals.wrong('pin', PIN_TRIES);
    const account = await payoutTarget(tx, storeId, body.bank_account_id);
    if (!account) throw unknownAccount();
    this.refuse(standing, account, body, at);
    const withdrawal = await this.insert(tx, by, { own, standing, account, amount: body.amount });
    await lockMoney(tx, by, withdrawal);
    const shown = shownWithdrawal(withdrawal);
    await audited(tx, by, { action: 'wallet.withdraw', type: 'withdrawal', id: shown.id, after: shown });
    if (shown.status === 'approved') await this.send(tx, storeId, shown.id);
    return shown;
  }

  /** Only one that nobody has approved. Throws `NotFound`, `invalid_transition`. */
  cancel(by: Writer, id: string): Promise<Withdrawal> {
    return this.parts.database.tx((tx) => this.cancelIn(tx, by, id));
  }

  /** The same in the caller's transaction. */
  async cancelIn(tx: Sql, by: Writer, id: string): Promise<Withdrawal> {
    const row = await withdrawalById(tx, by.storeId, id, 'FOR UPDATE');
    return moveWithdrawal(tx, { by, audit: by.audit }, row, { event: 'cancel' });
  }

  /** An operator's decision: the payout begins. Throws `NotFound`, `invalid_transition`. */
  async approve(tx: Sql, by: Writer, id: string): Promise<Withdrawal> {
    const row = await withdrawalById(tx, by.storeId, id, 'FOR UPDATE');
    const shown = await moveWithdrawal(tx, { by, audit: by.audit }, row, { event: 'approve' });
    await this.send(tx, by.storeId, id);
    return shown;
  }

  /** An operator's decision: the money is back, and the store reads why. Throws `NotFound`, `invalid_transition`. */
  async reject(tx: Sql, by: Writer, id: string, reason: string): Promise<Withdrawal> {
    const row = await withdrawalById(tx, by.storeId, id, 'FOR UPDATE');
    return moveWithdrawal(tx, { by, audit: by.audit }, row, { event: 'reject', failure: reason });
  }

  /**
   * An operator's word where the provider's does not come or contradicts itself: paid, or the money is back; one that has ended so is only
   * looked at no more. Throws `NotFound`, `invalid_transition`, and `asked_just_now`.
   */
  async end(tx: Sql, by: Writer, id: string, { word, why }: { word: Word; why: string }): Promise<Withdrawal> {
    const row = await withdrawalById(tx, by.storeId, id, 'FOR UPDATE');
    const asked = await tx.query(ASKED_JUST_NOW, [by.storeId, id, by.at]);
    if (asked.length > 0) throw withdrawalRefusals.askedJustNow();
    if (isOpen(row.status) || (row.status === 'paid' && word === 'failed')) {
      const event = word === 'paid' ? 'succeed' : row.status === 'paid' ? 'reverse' : 'fail';
      const failure = word === 'failed' ? why : undefined;
      return moveWithdrawal(tx, { by, audit: by.audit }, row, { event, failure });
    }
    if (row.status === 'requested' || !isSaid(row.status, word)) throw invalidTransition(row.status);
    await tx.query(SEEN, [by.storeId, id, by.at]);
    const after = { alert: null, why };
    await audited(tx, by, { action: 'wallet.withdraw', type: 'withdrawal', id, before: {}, after });
    return shownWithdrawal(row);
  }

  private again(known: WithdrawalRow, { amount, bank_account_id }: NewWithdrawal): Withdrawal {
    if (known.amount !== amount || known.bank_account_id !== bank_account_id) throw withdrawalRefusals.keyUsed();
    return shownWithdrawal(known);
  }

  /** The lock of a PIN does not count here: it was right. */
  private refuse(standing: Standing, account: PayoutTarget, { amount }: NewWithdrawal, at: Date): void {
    const all = [...obstaclesOfStore(standing, at), ...obstaclesOfAccount(account, amount, at)];
    const [first] = all.filter((each) => each !== 'pin_locked');
    if (first === 'amount_too_large') throw tooLarge(mostAt(account.bank_code));
    if (first !== undefined && first !== 'insufficient_balance') throw refusalOf[first]();
  }

  private insert(
    tx: Sql,
    { storeId, actor, at }: Writer,
    asked: { own: string; standing: Standing; account: PayoutTarget; amount: number },
  ): Promise<WithdrawalRow> {
    const { box, fee, autoLimit } = this.parts;
    const { own, standing, account, amount } = asked;
    const id = uuidv7();
    const number = box.open(account.number_enc, numberPurpose(storeId, account.id));
    const sealed = box.seal(number, withdrawalPurpose(storeId, id));
    const isSmall = bigintNumber.from(standing.withdrawn_today) + amount <= autoLimit;
    const money = [amount, fee, standing.currency];
    const target = [account.bank_code, sealed, account.last4, account.holder];
    const status = isSmall ? 'approved' : 'requested';
    return insertWithdrawal(tx, [storeId, id, account.id, ...money, ...target, status, own, actor, at]);
  }

  private async send(tx: Sql, storeId: string, id: string): Promise<void> {
    await this.parts.queue.enqueue(tx, 'withdrawal.payout', { storeId, id }, { key: `payout:${id}` });
  }
}
