import type { Database, Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Writer } from '../../../by';
import { storeOfWithdrawal, words, type WithdrawalsService, type Word } from '../../wallet/public';
import { idOf, listed, storeOf } from './listed';
import { UsageError, type Operation, type OperatorIn } from './ops.types';

export interface WithdrawalOperationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly withdrawals: Pick<WithdrawalsService, 'approve' | 'reject' | 'end'>;
}

/** The oldest of every store before the second of any: nobody fills the list alone. */
const WAITING = `SELECT w.store_id, w.id, w.status, w.amount::float8 AS amount, w.currency, w.bank_code, w.last4, w.holder, w.alert, w.created_at
  FROM withdrawal w WHERE w.status = 'requested' OR w.alert IS NOT NULL
    OR w.status IN ('approved', 'processing') AND w.approved_at < $1::timestamptz - interval '2 hours'
  ORDER BY row_number() OVER (PARTITION BY w.store_id ORDER BY w.created_at), w.created_at LIMIT 100`;

const wordOf = (text: string | undefined): Word => {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new UsageError(`"${text}" is no end of a withdrawal: ${words.join(' or ')}`);
};

/** Money that leaves. */
export const withdrawalOperations = (
  { database, clock, withdrawals }: WithdrawalOperationParts,
  operatorIn: OperatorIn,
): Operation[] => {
  const decide = async (id: string, decision: (tx: Sql, by: Writer) => Promise<{ readonly status: string }>) => {
    const storeId = await storeOf(storeOfWithdrawal(database, id), 'Withdrawal');
    const { status } = await database.tx((tx) => decision(tx, operatorIn(storeId)));
    return { text: `withdrawal ${id} of ${storeId} is ${status}`, data: { store_id: storeId, id, status } };
  };
  return [
    {
      ...{ name: 'withdrawal list', usage: '', words: [0, 0] },
      summary: 'Those that wait for a decision, are open for more than two hours, or contradicted by the provider.',
      run: () => listed(database, 'withdrawals', WAITING, clock.now()),
    },
    {
      ...{ name: 'withdrawal approve', usage: '<id>', words: [1, 1] },
      summary: 'The payout begins.',
      run: ([id]) => decide(idOf(id, 'withdrawal'), (tx, by) => withdrawals.approve(tx, by, idOf(id, 'withdrawal'))),
    },
    {
      ...{ name: 'withdrawal reject', usage: '<id> <reason>', words: [2, 2] },
      summary: 'The money is back in the wallet, and the store reads why.',
      run: ([id, reason = '']) =>
        decide(idOf(id, 'withdrawal'), (tx, by) => withdrawals.reject(tx, by, idOf(id, 'withdrawal'), reason)),
    },
    {
      ...{ name: 'withdrawal end', usage: '<id> <paid|failed> <why>', words: [3, 3] },
      summary:
        'What the provider shows, where it does not say it or contradicts itself: paid, or the money is back. Look there first.',
      run: ([id, end, why = '']) => {
        const word = wordOf(end);
        return decide(idOf(id, 'withdrawal'), (tx, by) =>
          withdrawals.end(tx, by, idOf(id, 'withdrawal'), { word, why }),
        );
      },
    },
  ];
};
