export * from './database.types';
export { openDatabase } from './database';
export { databaseOptions, databaseSettings } from './database.settings';
export { roleSettings, type RoleOfDatabase } from './role.settings';
export { ForwardMigration, isAlone, type Contract } from './migrations';
export { portions, type Portions } from './portions';
export { isCheckViolation, isRefusedForEver, isUniqueViolation, mayBeCommitted, sqlState } from './postgres.errors';
export { bigintNumber } from './bigint.column';
export { installExtensions, provision, type Provision } from './provision';
export type { Cache, CacheScript, Release, ScriptStore } from './cache.types';
export { openCache, type CacheOptions } from './cache';
export { CREATE_IDEMPOTENCY_KEYS, pgIdempotency, type Idempotency, type KeptAnswer } from './idempotency';
export { NEWEST, type Keyset } from './keyset';
export { PageCursor } from './page-cursor';
export { microBatch, type MicroBatch, type MicroBatchOptions } from './micro-batch';
export { anyGathered, gathered } from './gathered';
export { joined } from './joined';
export { redisConnection } from './redis.connection';
export { listingOf } from './listing';
export {
  sortsOf,
  type Feed,
  type ListedPage,
  type Listing,
  type Sort,
  type Statement,
  type WhereOf,
} from './listing.types';
export type { StreamOptions, StreamsRows } from './streams';
export { CREATE_AUDIT_LOG, diffOf, writeAudit, type Audit, type AuditDiff, type AuditedChange } from './audit';
export { isAstray, notAhead } from './astray';
export { SharedClock } from './shared.clock';
export { Housekeeping, type Expiry } from './housekeeping';
export { aloneWithoutRedis, OnlyProcess, type OnlyProcessOptions } from './only.process';
