import type { SecretBox } from '@platform/auth';
import type { Database, Sql } from '@platform/data';
import { isUuid } from '@platform/runtime';
import type { Writer } from '../../../by';
import { acceptPayment, giveBackPayment, paymentsInReview, reviewedPayment } from '../../sales/reviews/public';
import { UsageError, type Operation, type OperatorIn, type Outcome } from './ops.types';

interface Parts {
  readonly database: Database;
  readonly box: SecretBox;
}

const idOf = (text = ''): string => {
  if (isUuid(text)) return text;
  throw new UsageError(`"${text}" is no id of a payment: ops payment list shows those in review`);
};

const amountOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no amount: a whole number, without dots`);
};

const methodOf = (text: string | undefined): 'provider' | 'manual' | undefined => {
  if (text === undefined || text === 'provider' || text === 'manual') return text;
  throw new UsageError(`"${text}" is no way back: provider or manual`);
};

const list = async ({ database }: Parts): Promise<Outcome> => {
  const rows = await paymentsInReview(database);
  const lines = rows.map(({ store_id, id, number, provider, amount, currency, review_reason, order_reason, told }) =>
    [id, store_id, number ?? 'a bill', provider, `${amount} ${currency}`, review_reason ?? order_reason, told].join(
      '  ',
    ),
  );
  return { text: lines.join('\n') || 'nothing is in review', data: { payments: rows } };
};

/** Payments that did not come as they were asked for, or for which the goods were gone. */
export const paymentOperations = ({ database, box }: Parts, operatorIn: OperatorIn): Operation[] => {
  const decide = async (id: string, decision: (tx: Sql, by: Writer) => Promise<string>) => {
    const { store_id: storeId } = await reviewedPayment(database, id);
    const outcome = await database.tx((tx) => decision(tx, operatorIn(storeId)));
    return { text: `payment ${id} of ${storeId}: ${outcome}`, data: { store_id: storeId, id, outcome } };
  };
  return [
    {
      ...{
        name: 'payment list',
        usage: '',
        words: [0, 0],
        summary: 'Payments in review, the oldest first, and what was told of them.',
      },
      run: () => list({ database, box }),
    },
    {
      ...{ name: 'payment accept', usage: '<id> [amount]', words: [1, 2] },
      summary:
        'Its money stays: of another sum than was asked for the amount that came, which is settled; else the review is over.',
      run: async ([id, amount]) => {
        const came = amountOf(amount);
        return decide(idOf(id), (tx, by) => acceptPayment(tx, by, idOf(id), came));
      },
    },
    {
      ...{ name: 'payment refund', usage: '<id> <reason> [provider|manual]', words: [2, 3] },
      summary:
        'What is too much, or all of it, goes back; one that was never settled is closed, its money is at the provider.',
      run: async ([id, reason = '', method]) => {
        const given = { box, reason, method: methodOf(method) };
        return decide(idOf(id), (tx, by) => giveBackPayment(tx, by, idOf(id), given));
      },
    },
  ];
};
