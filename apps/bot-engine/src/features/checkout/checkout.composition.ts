import { Housekeeping, type Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Queue } from '../../jobs';
import type { Tool } from '../tools/public';
import { CheckoutRepeats } from './checkout.repeats';
import { CheckoutRepository } from './checkout.repository';
import { CheckoutService } from './checkout.service';
import { createCheckoutTool, paymentStatusTool } from './checkout.tools';
import type { WriteNotice } from './customer.notices';

export interface CheckoutRoomParts {
  readonly database: Database;
  readonly commerce: CommerceClient;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly notices: WriteNotice;
}

/** As long as the messages of their conversations; payments come within days. */
const KEPT_MS = 180 * 24 * 3_600_000;

/** Orders of conversations: the tools by which the model takes them, and the job that goes on where nobody knows their outcome. */
export const composeCheckout = (parts: CheckoutRoomParts): { readonly area: Area; readonly tools: readonly Tool[] } => {
  const { database, commerce, clock, logger } = parts;
  const checkouts = new CheckoutRepository(database);
  const service = new CheckoutService({ ...parts, checkouts });
  const repeats = new CheckoutRepeats({ ...parts, checkouts });
  const expired = [{ table: 'bot_checkouts', column: 'created_at', keepMs: KEPT_MS }];
  return {
    area: {
      components: [new Housekeeping(database, { clock, logger, expired })],
      jobs: { 'checkout.create': { effect: 'outside', run: (payload) => repeats.run(payload) } },
      runners: [{ name: 'checkouts', tasks: ['checkout.create'], concurrency: 4, share: { by: 'storeId', most: 2 } }],
    },
    tools: [createCheckoutTool(service) as Tool, paymentStatusTool(checkouts, commerce) as Tool],
  };
};
