import type { Database } from '@platform/data';
import { recountOrders } from '../../sales/payments/public';
import type { Operation, OperatorIn } from './ops.types';

/** Orders that an older release has left wrong. */
export const orderOperations = ({ database }: { readonly database: Database }, operatorIn: OperatorIn): Operation[] => [
  {
    ...{ name: 'order recount', usage: '', words: [0, 0] },
    summary:
      'Once after the roll-out of ADR 192, and as often as you like: open orders that never had all of their money stand by what they keep, and those sent in part by what is to be sent still.',
    run: async () => {
      const orders = await recountOrders(database, operatorIn);
      const lines = orders.map((order) => Object.values(order).join('  '));
      return { text: lines.join('\n') || 'every order stands by its money', data: { orders } };
    },
  },
];
