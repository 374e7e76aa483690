import type { Database } from '@platform/data';
import type { StoreStanding } from '../../shop/store/public';
import type { Operation, OperatorIn, Outcome } from './ops.types';

export interface StoreOperationParts {
  readonly database: Database;
  readonly standing: StoreStanding;
}

/** Who may not sell, and who may again. */
export const storeOperations = ({ database, standing }: StoreOperationParts, by: OperatorIn): Operation[] => {
  const move =
    (suspended: boolean) =>
    async ([storeId = '', reason]: readonly string[]): Promise<Outcome> => {
      const status = await database.tx((tx) => standing.suspend(tx, by(storeId), suspended, reason));
      return { text: `${storeId} is ${status}`, data: { store_id: storeId, status } };
    };
  return [
    {
      ...{ name: 'store suspend', usage: '<store> <reason>', words: [2, 2] },
      summary: 'Its members, tokens, buyers and bot are refused until it is open again; its money stays where it is.',
      run: move(true),
    },
    {
      ...{ name: 'store open', usage: '<store>', words: [1, 1] },
      summary: 'Ends a suspension.',
      run: move(false),
    },
  ];
};
