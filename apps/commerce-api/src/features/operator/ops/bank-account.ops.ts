import type { Database } from '@platform/data';
import { verifyBankAccount } from '../../wallet/public';
import { idOf, listed, storeOf } from './listed';
import type { Operation, OperatorIn } from './ops.types';

/** Many stay as they are, so that the newest come first: $1 store, null: all. */
const UNVERIFIED = `SELECT a.store_id, a.id, a.bank_code, a.last4, a.holder, (SELECT k.approved_name FROM kyc_submission k
    WHERE k.store_id = a.store_id AND k.status = 'approved' ORDER BY k.decided_at DESC LIMIT 1) AS approved_name
  FROM bank_account a WHERE a.verified_at IS NULL AND ($1::text IS NULL OR a.store_id = $1)
  ORDER BY a.created_at DESC, a.id DESC LIMIT 100`;
const STORE_OF_ACCOUNT = 'SELECT store_id FROM bank_account WHERE id = $1';

/** Where money may go. */
export const bankAccountOperations = (
  { database }: { readonly database: Database },
  operatorIn: OperatorIn,
): Operation[] => [
  {
    ...{ name: 'bank-account list', usage: '[store]', words: [0, 1] },
    summary: 'Accounts whose holder is not whom the identity check names, the newest first; of one store or of all.',
    run: ([store]) => listed(database, 'accounts', UNVERIFIED, store ?? null),
  },
  {
    ...{ name: 'bank-account verify', usage: '<id>', words: [1, 1] },
    summary: 'It is of the store, whatever its holder is called; money can go there a day later.',
    run: async ([given]) => {
      const id = idOf(given, 'bank-account');
      const [row] = await database.query<{ store_id: string }>(STORE_OF_ACCOUNT, [id]);
      const storeId = await storeOf(Promise.resolve(row?.store_id), 'Bank account');
      const { verified_at, usable_from } = await database.tx((tx) => verifyBankAccount(tx, operatorIn(storeId), id));
      const text = `bank account ${id} of ${storeId} is verified, usable from ${usable_from}`;
      return { text, data: { store_id: storeId, id, verified_at, usable_from } };
    },
  },
];
