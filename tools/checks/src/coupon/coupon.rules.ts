import { bigintNumber, type Audit } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { csv } from '@platform/http';
import type { Caller, Coupon } from './coupon.dto';

/** As PostgreSQL returns it. */
export type Stored = Omit<Coupon, 'created_at'> & { readonly created_at: Date };

export const couponOf = ({ created_at, value, ...row }: Stored): Coupon => ({
  ...row,
  value: bigintNumber.from(value),
  created_at: created_at.toISOString(),
});

export const refusals = {
  codeTaken: (): Failure => new Conflict('The code is taken', { code: 'code_taken' }),
  paused: (): Failure => new Conflict('The coupon is paused', { code: 'paused' }),
  usedUp: (): Failure => new Conflict('The coupon is used up', { code: 'usage_limit' }),
} as const;

/** The number of uses after one more. Throws when the coupon is paused or used up. */
export const usedOnceMore = ({ status, used, usage_limit }: Coupon): { readonly used: number } => {
  if (status !== 'active') throw refusals.paused();
  if (used === usage_limit) throw refusals.usedUp();
  return { used: used + 1 };
};

export const COUPON_FILE = csv<Coupon>(
  [
    ['Code', 'code'],
    ['Value', 'value'],
    ['Status', 'status'],
    ['Used', 'used'],
    ['Created', 'created_at'],
  ],
  { filename: 'coupons.csv' },
);

/** Who writes, for the audit log. */
export const auditOf = ({ caller, address }: { readonly caller: Caller; readonly address: string }): Audit => ({
  tenantId: caller.storeId,
  actor: caller.actor,
  at: new Date(),
  ip: address,
});
