import { refusals } from '../../refusals';
import type { StoreMembership } from './users.repository';

/**
 * The store a login is for: the one asked for, else the last used, else the oldest active membership; undefined when the user
 * has none. A store that is not asked for by name is passed over while it is suspended and another one is not.
 * Throws `Forbidden` when the choice falls on a suspended store.
 */
export const chooseStore = (
  memberships: readonly StoreMembership[],
  { asked, lastUsed }: { readonly asked?: string; readonly lastUsed: string | null },
): StoreMembership | undefined => {
  const active = memberships.filter(({ status }) => status === 'active');
  const usable = active.filter(({ storeStatus }) => storeStatus !== 'suspended');
  const named = (list: readonly StoreMembership[], id: string | null | undefined) =>
    list.find(({ storeId }) => storeId === id);
  const choice = asked === undefined ? (named(usable, lastUsed) ?? usable[0] ?? active[0]) : named(active, asked);
  if (choice?.storeStatus === 'suspended') throw refusals.storeSuspended();
  return choice;
};
