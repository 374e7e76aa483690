import type { Principal } from '@platform/auth';
import { serviceRoles } from '@platform/contracts';
import { refusals } from './refusals';

/** A person, not one of our services or a machine on the allowlist. */
export const isUser = (caller: Principal): boolean =>
  caller.kind === 'token' && !serviceRoles.some((service) => service === caller.claims.role);

/** Design 1.2, G6: a user of another store must not read or spend this store's; sibling services serve all stores. */
export const refuseForeignStore = (caller: Principal, storeId: string): void => {
  if (caller.kind !== 'token' || !isUser(caller)) return;
  const { store_id: own } = caller.claims;
  if (own && own !== storeId) throw refusals.storeNotFound();
};
