import type { Audit } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Caller } from './abilities';

/** Who writes, for the audit log: the first argument of every write, in the transaction of which `writeAudit` adds its row. */
export const auditOf = ({ storeId, actor, name, kind, address }: Caller, clock: Clock): Audit => ({
  tenantId: storeId,
  actor: { id: actor, name, kind },
  at: clock.now(),
  ip: address,
});
