import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { couponsEndpoints } from './coupons/coupons.endpoints';
import { salesAbilities } from './sales.abilities';

const DAY_MS = 86_400_000;
/** What keys of requests are kept for. */
const KEYS = { table: 'idempotency_keys', column: 'claimed_at', keepMs: DAY_MS };

/** Coupons and orders; `totals` is what an order costs. */
export const composeSales = ({ database, clock, cursors, logger }: AreaParts): Area => ({
  endpoints: couponsEndpoints({ database, clock, cursors }),
  components: [new Housekeeping(database, { clock, logger, expired: [KEYS] })],
  abilities: salesAbilities,
});
