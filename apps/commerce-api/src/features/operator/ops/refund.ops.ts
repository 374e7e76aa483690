import type { Database } from '@platform/data';
import type { Clock } from '@platform/runtime';
import { jobQueue } from '../../../jobs';
import { decideRefund, OVERDUE_REFUND, storeOfRefund } from '../../sales/refunds/public';
import { idOf, listed, storeOf } from './listed';
import type { Operation, OperatorIn, Outcome } from './ops.types';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
}

const queue = jobQueue();

const WAITING = `SELECT r.store_id, r.id, r.status, r.method, r.amount::float8 AS amount, r.currency, r.provider_ref, r.alert, r.created_at
  FROM refund r WHERE ${OVERDUE_REFUND} ORDER BY r.created_at LIMIT 100`;

/** Money on its way back to buyers, of which nobody knows where it is. */
export const refundOperations = ({ database, clock }: Parts, operatorIn: OperatorIn): Operation[] => {
  const known = async (word: string | undefined) => {
    const id = idOf(word, 'refund');
    return { id, storeId: await storeOf(storeOfRefund(database, id), 'Refund') };
  };
  const decide = async (word: string | undefined, why: string | undefined): Promise<Outcome> => {
    const { id, storeId } = await known(word);
    const status = await database.tx((tx) => decideRefund(tx, operatorIn(storeId), id, why));
    return { text: `refund ${id} of ${storeId} is ${status}`, data: { store_id: storeId, id, status } };
  };
  return [
    {
      ...{ name: 'refund list', usage: '', words: [0, 0] },
      summary: 'Those open for more than two hours, or contradicted by the provider.',
      run: () => listed(database, 'refunds', WAITING, clock.now()),
    },
    {
      ...{ name: 'refund retry', usage: '<id>', words: [1, 1] },
      summary: 'The provider is asked once more, under the same key.',
      run: async ([word]) => {
        const { id, storeId } = await known(word);
        await queue.enqueue(database, 'refund.execute', { storeId, id }, { key: `refund:${id}` });
        return { text: `refund ${id} of ${storeId} is asked for again`, data: { store_id: storeId, id } };
      },
    },
    {
      ...{ name: 'refund gone', usage: '<id>', words: [1, 1] },
      summary: 'The buyer has the money, as the books of the provider say: it counts.',
      run: ([word]) => decide(word, undefined),
    },
    {
      ...{ name: 'refund failed', usage: '<id> <reason>', words: [2, 2] },
      summary: 'The money never went, as the books of the provider say: the wallet has it again.',
      run: ([word, why]) => decide(word, why),
    },
  ];
};
