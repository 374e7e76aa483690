import { Housekeeping, type Database } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock, Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { CommerceClient } from '../../clients/commerce.client';
import type { WriteNotice } from '../checkout/public';
import type { BotEvents } from '../notice/public';
import type { StoreDirectory } from '../stores/public';
import { readOrder } from './order.reading';
import { paymentEndpoints } from './payment.endpoints';
import { PaymentService } from './payment.service';

export interface PaymentRoomParts {
  readonly database: Database;
  readonly stores: StoreDirectory;
  readonly commerce: CommerceClient;
  readonly notices: WriteNotice;
  readonly realtime: Emitter<BotEvents>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** As long as orders can still be announced: theirs are gone by then, too. */
const KEPT_MS = 180 * 24 * 3_600_000;

/** What buyers hear of their payments. */
export const composePayment = ({ commerce, ...parts }: PaymentRoomParts): Area => {
  const { database, clock, logger } = parts;
  const expired = [{ table: 'bot_payment_events', column: 'received_at', keepMs: KEPT_MS }];
  return {
    endpoints: paymentEndpoints(new PaymentService({ ...parts, readOrder: readOrder(commerce) })),
    components: [new Housekeeping(database, { clock, logger, expired })],
  };
};
