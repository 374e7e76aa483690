import type { SecretBox } from '@platform/auth';
import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { By } from '../../../by';
import type { BankCode } from '../../paying/accounts/public';
import { lockMoney, moveWithdrawal } from './withdrawal.moves';
import { withdrawalPurpose } from './withdrawals.service';
import { insertWithdrawal, withdrawalById } from './withdrawals.sql';

interface Seeded {
  readonly box: SecretBox;
  readonly account: {
    readonly id: string;
    readonly bank_code: BankCode;
    readonly number: string;
    readonly holder: string;
  };
  readonly amount: number;
  readonly currency: string;
}

const FEE = 2_500;

/** A withdrawal of the demo shop's past, from its request to its payout, with all its money. */
export const seedWithdrawal = async (tx: Sql, by: By, { box, account, amount, currency }: Seeded): Promise<void> => {
  const { storeId, actor, at } = by;
  const id = uuidv7();
  const sealed = box.seal(account.number, withdrawalPurpose(storeId, id));
  const target = [account.bank_code, sealed, account.number.slice(-4), account.holder];
  const values = [storeId, id, account.id, amount, FEE, currency, ...target, 'requested', `demo ${id}`, actor, at];
  await lockMoney(tx, by, await insertWithdrawal(tx, values));
  const audit = { tenantId: storeId, actor: { id: actor, name: actor, kind: 'system' as const }, at };
  for (const event of ['approve', 'succeed'] as const)
    await moveWithdrawal(tx, { by, audit }, await withdrawalById(tx, storeId, id, 'FOR UPDATE'), { event });
};
