import type { Principal } from '@platform/auth';
import { serviceRoles } from '@platform/contracts';
import { refusals } from './refusals';

/** Design 1.2, G6: a user of another store must not read or spend this store's; sibling services serve all stores. */
export const refuseForeignStore = (caller: Principal, storeId: string): void => {
  if (caller.kind !== 'token') return;
  const { store_id: own, role } = caller.claims;
  if (own && own !== storeId && !serviceRoles.some((service) => service === role)) throw refusals.storeNotFound();
};
