import { Unavailable } from '@platform/errors';
import type { Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { CheckoutOrder, CommerceClient } from '../../clients/commerce.client';
import type { BotJobs, Queue } from '../../jobs';
import type { Checkout, CheckoutRepository } from './checkout.repository';
import { idempotencyKeyOf } from './checkout.service';
import type { WriteNotice } from './customer.notices';
import { money } from './rupiah';

type Payload = BotJobs['checkout.create'];

export interface RepeatParts {
  readonly database: Database;
  readonly checkouts: CheckoutRepository;
  readonly commerce: Pick<CommerceClient, 'createCheckout'>;
  readonly notices: WriteNotice;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds from one of the eight tries to the next: half an hour in all (design 3.5). */
const PAUSES = [15, 30, 60, 120, 240, 480, 840];
const CALL_MS = 10_000;

const madeText = ({ orderNumber, total, currency, paymentUrl }: CheckoutOrder): string => {
  const made = `Pesanan ${orderNumber} sudah kami buat ya kak, totalnya ${money(total, currency)}.`;
  return paymentUrl === null ? made : `${made} Silakan bayar di sini: ${paymentUrl}`;
};
const REFUSED =
  'Mohon maaf kak, pesanannya belum bisa kami buat karena stok atau harganya berubah. Boleh kami hitung ulang?';
const GIVEN_UP = 'Mohon maaf kak, pesanannya belum bisa kami buat saat ini. Tim kami akan membantu ya.';

/** Orders of which nobody knows whether they were made: the same call again, for half an hour, until somebody does. */
export class CheckoutRepeats {
  constructor(
    private readonly parts: RepeatParts,
    private readonly callMs = CALL_MS,
  ) {}

  async run(payload: Payload): Promise<void> {
    const { storeId, id } = payload;
    const found = await this.parts.checkouts.byId(storeId, id, this.parts.clock.now());
    // Its turn, or the customer who asked again, has the order meanwhile
    if (found?.state !== 'creating') return;
    const request = { ...found.args, expectedTotal: found.total, idempotencyKey: idempotencyKeyOf(found) };
    const signal = AbortSignal.timeout(this.callMs);
    const answer = await this.parts.commerce
      .createCheckout(request, signal)
      .then((order) => ({ order }))
      .catch((failure: unknown) => ({ failure }));
    // An order that cannot be written down stands nevertheless: the job fails, and is tried again
    if ('order' in answer) return this.made(storeId, found, answer.order);
    if (!(answer.failure instanceof Unavailable)) return this.ended(storeId, found, REFUSED);
    return this.later(payload, found);
  }

  /** Whoever learns of the order first tells of it. */
  private async made(storeId: string, found: Checkout, order: CheckoutOrder): Promise<void> {
    const { database, checkouts, notices, clock } = this.parts;
    await database.tx(async (tx) => {
      if (await checkouts.ordered(storeId, found.id, order, clock.now(), tx))
        await notices(tx, this.notice(storeId, found, madeText(order)));
    });
  }

  private async later(payload: Payload, found: Checkout): Promise<void> {
    const { database, queue, logger } = this.parts;
    const pause = PAUSES[payload.tries];
    if (pause === undefined) {
      logger.error('an order of the bot could not be made in half an hour', {
        storeId: payload.storeId,
        id: payload.id,
      });
      return this.ended(payload.storeId, found, GIVEN_UP);
    }
    const next = { storeId: payload.storeId, id: payload.id, tries: payload.tries + 1 };
    await database.tx((tx) => queue.enqueue(tx, 'checkout.create', next, { afterSeconds: pause, maxAttempts: 3 }));
  }

  private async ended(storeId: string, found: Checkout, text: string): Promise<void> {
    const { database, checkouts, notices, clock } = this.parts;
    await database.tx(async (tx) => {
      if (await checkouts.supersede(storeId, found.id, ['creating'], clock.now(), tx))
        await notices(tx, this.notice(storeId, found, text));
    });
  }

  private notice(storeId: string, { id, conversationId }: Checkout, text: string) {
    return { storeId, conversationId, key: `checkout:${id}`, text, onlyIfOpen: false };
  }
}
