import { secretBox } from '@platform/auth';
import { userInfo } from 'node:os';
import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import { bankAccountOperations } from './ops/bank-account.ops';
import { kycOperations, type KycOperationParts } from './ops/kyc.ops';
import { opsCommand } from './ops/ops.command';
import type { OperatorIn } from './ops/ops.types';
import { orderOperations } from './ops/order.ops';
import { paymentOperations } from './ops/payment.ops';
import { planOperations } from './ops/plan.ops';
import { refundOperations } from './ops/refund.ops';
import { storeOperations, type StoreOperationParts } from './ops/store.ops';
import { withdrawalOperations, type WithdrawalOperationParts } from './ops/withdrawal.ops';

interface Parts
  extends
    Pick<AreaParts, 'database' | 'clock'>,
    Omit<KycOperationParts, 'database'>,
    Omit<StoreOperationParts, 'database'>,
    Omit<WithdrawalOperationParts, 'database' | 'clock'> {}

/** Of whoever is at the keyboard, as far as the machine knows. */
const operatorName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
};

/** What the platform decides, for which the contract has no route (design section 1). */
export const composeOperator = (
  { SHOP_SECRETS_KEY }: Config,
  { database, clock, kyc, withdrawals, fileOf, standing }: Parts,
): Area => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const name = operatorName();
  const operatorIn: OperatorIn = (storeId) => {
    const at = clock.now();
    const audit = { tenantId: storeId, actor: { id: 'operator', name, kind: 'operator' as const }, at };
    return { storeId, actor: 'operator', at, audit };
  };
  const operations = [
    ...kycOperations({ database, kyc, fileOf }, operatorIn),
    ...orderOperations({ database }, operatorIn),
    ...paymentOperations({ database, box }, operatorIn),
    ...refundOperations({ database, clock }, operatorIn),
    ...withdrawalOperations({ database, clock, withdrawals }, operatorIn),
    ...bankAccountOperations({ database }, operatorIn),
    ...planOperations({ database, clock }),
    ...storeOperations({ database, standing }, operatorIn),
  ];
  return { endpoints: [], components: [], abilities: [], commands: { ops: opsCommand(operations) } };
};
