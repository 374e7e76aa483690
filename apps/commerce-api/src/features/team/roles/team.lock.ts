import type { Sql, Transaction } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Caller, Need } from '../../../abilities';
import { refusals } from '../../../refusals';
import { Access } from '../../identity/access/public';

/** Changes of who may do what in one store come one after the other, or two admins could each undo what the other relied on. */
const LOCK = 'SELECT 1 FROM store WHERE store_id = $1 FOR NO KEY UPDATE';

/** Until the end of the transaction nobody else changes who does what in the store. */
export const storeTurn = async (tx: Sql, storeId: string): Promise<void> => {
  await tx.query(LOCK, [storeId]);
};

/**
 * Takes the store's turn, and looks again what the caller may do: the guard looked before, and somebody may have changed it
 * since. Throws `Forbidden` when it is no longer enough.
 */
export const teamTurn = async (
  tx: Transaction,
  { storeId, actor }: Caller,
  clock: Clock,
): Promise<ReadonlySet<Need>> => {
  await storeTurn(tx, storeId);
  const { abilities, suspended } = await new Access(tx, clock).member(storeId, actor);
  if (!abilities.has('team.manage')) throw refusals.abilityMissing('team.manage');
  if (suspended) throw refusals.storeSuspended();
  return abilities;
};

/** Nobody grants what they lack. */
export const refuseBeyond = (own: ReadonlySet<Need>, wanted: readonly string[]): void => {
  const beyond = wanted.find((ability) => !own.has(ability as Need));
  if (beyond !== undefined) throw refusals.grantTooFar(beyond);
};
