import { setTimeout as pause } from 'node:timers/promises';
import { NotFound, Unavailable } from '@platform/errors';
import { timeLimit } from '@platform/runtime';
import type { CommerceClient, OrderStatus } from '../../clients/commerce.client';
import { paymentRefusals } from './payment.refusals';

const TRIES = 3;
const PAUSE_MS = 200;
/** Of one try; all of them take at most five seconds. */
const TRY_MS = 1_500;
const ALL_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * How an order stands, from commerce-api itself (design 3.8). Throws `NotFound` for an order that nobody knows, `Unavailable` when nobody
 * answers three times.
 */
export const readOrder =
  (commerce: Pick<CommerceClient, 'orderStatus'>, tryMs = TRY_MS) =>
  async (storeId: string, orderNumber: string): Promise<OrderStatus> => {
    const signal = timeLimit(ALL_MS);
    for (let left = TRIES - 1; ; left -= 1) {
      try {
        return await commerce.orderStatus(storeId, orderNumber, timeLimit(tryMs, signal));
      } catch (failure) {
        if (failure instanceof NotFound) throw paymentRefusals.orderNotFound();
        if (left > 0 && failure instanceof Unavailable && !signal.aborted) await pause(PAUSE_MS);
        else
          throw new Unavailable('the order cannot be read', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: failure });
      }
    }
  };
