import { diffOf, writeAudit, type Audit, type Sql } from '@platform/data';
import type { Clock } from '@platform/runtime';
import type { Caller } from './abilities';
import { auditOf } from './audit';

/** Who writes in which store, and when. */
export interface By {
  readonly storeId: string;
  /** User id, `svc:<client>`, or the name of a job. */
  readonly actor: string;
  readonly at: Date;
}

/** The same for writes that the audit log tells. */
export interface Writer extends By {
  readonly audit: Audit;
}

/** The caller of an endpoint as the one who writes now. */
export const byOf =
  (clock: Clock) =>
  ({ caller }: { readonly caller: Caller }): Writer => {
    const audit = auditOf(caller, clock);
    return { storeId: caller.storeId, actor: caller.actor, at: audit.at, audit };
  };

/** What was written: an ability `product.write`, and the row before and after it. */
interface Written {
  readonly action: string;
  readonly type: string;
  readonly id: string;
  readonly before?: object;
  readonly after?: object;
}

/** Adds the audit entry in the transaction of the write; none when nothing has changed. */
export const audited = async (
  tx: Sql,
  { audit }: Writer,
  { action, type, id, before, after }: Written,
): Promise<void> => {
  const diff = diffOf(before, after);
  if (Object.keys(diff).length > 0) await writeAudit(tx, audit, { action, subject: { type, id }, diff });
};
