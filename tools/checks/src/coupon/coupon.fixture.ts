import { CREATE_AUDIT_LOG, CREATE_IDEMPOTENCY_KEYS, ForwardMigration, pgIdempotency } from '@platform/data';
import { commerceEnvelope } from '@platform/envelopes';
import { Unauthenticated } from '@platform/errors';
import { startService, type Guard, type Service } from '@platform/http';
import { silentLogger } from '@platform/runtime';
import { testDatabase } from '@platform/testing';
import type { Caller } from './coupon.dto';
import { couponEndpoints } from './coupon.endpoints';

class CreateCoupons1760000000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE coupon (
      store_id varchar(36) NOT NULL, id uuid NOT NULL, code text NOT NULL, value bigint NOT NULL,
      status text NOT NULL DEFAULT 'active', used integer NOT NULL DEFAULT 0, usage_limit integer,
      created_at timestamptz NOT NULL, PRIMARY KEY (store_id, id), UNIQUE (store_id, code)
    )`,
    'CREATE INDEX coupon_created ON coupon (store_id, created_at, id)',
    ...CREATE_AUDIT_LOG,
    CREATE_IDEMPOTENCY_KEYS,
  ];
}

/** `Bearer S1` authenticates Rina of the store S1. */
const token: Guard<Caller> = {
  label: 'token',
  scheme: 'bearer',
  authenticate: ({ headers }) => {
    const [, storeId] = /^Bearer (\w+)$/.exec(headers.authorization ?? '') ?? [];
    if (!storeId) throw new Unauthenticated({ reason: 'missing' });
    return { storeId, actor: { id: 'u1', name: 'Rina', kind: 'user' } };
  },
};

/** Starts a service with only the coupons, on its own database. */
export const startCoupons = async () => {
  const database = await testDatabase({ schema: 'shop', migrations: [CreateCoupons1760000000000] });
  const service: Service = {
    name: 'coupons',
    description: 'A resource as every resource is',
    envelope: commerceEnvelope({ production: false }),
    endpoints: couponEndpoints(database),
    guards: { 'coupon.read': token, 'coupon.write': token },
    components: [database],
    callerKey: (caller) => (caller as Caller | undefined)?.storeId,
    idempotency: pgIdempotency(database),
  };
  const running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  return { service, database, url: running.url, stop: () => running.stop() };
};
