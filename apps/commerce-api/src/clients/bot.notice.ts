import type { ServiceTokens } from '@platform/auth';
import { NotFound, Rejected, TooMany, Unavailable } from '@platform/errors';
import { path, peer, type HttpClient } from '@platform/http';

/** That an order was paid, as the bot engine is told. */
export interface PaymentNotice {
  /** The same for every try. */
  readonly idEvent: string;
  readonly orderNumber: string;
  readonly idStore: string;
  /** In the settlement unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** ISO 8601. */
  readonly paidAt: string;
  readonly provider: string;
}

export type NoticeAnswer =
  /** Whether it has told the buyer; an event that it knows is answered as the first time. */
  | { readonly kind: 'told'; readonly notified: boolean }
  /** Nobody was told; the same notice later. */
  | { readonly kind: 'later'; readonly afterSeconds: number | undefined; readonly reason: string }
  /** It will never take this one. */
  | { readonly kind: 'refused'; readonly reason: string };

/** What this service tells bot-engine of payments. */
export interface BotNotices {
  /** Never rejects. */
  tell(notice: PaymentNotice): Promise<NoticeAnswer>;
}

/** The engine reads the order again, up to five seconds, and writes to the buyer. */
const TIMEOUT_MS = 10_000;

const unanswered = (failure: unknown): NoticeAnswer => {
  const reason = failure instanceof Error ? failure.message : 'no answer';
  if (failure instanceof NotFound || failure instanceof Rejected) return { kind: 'refused', reason };
  const isTimed = failure instanceof TooMany || failure instanceof Unavailable;
  return { kind: 'later', afterSeconds: isTimed ? failure.retryAfterSeconds : undefined, reason };
};

interface Answer {
  readonly data: { readonly notified: boolean };
}

/** bot-engine over HTTP: `POST /api/webhook/payment-notification` with a service token (its design 2.6). */
export const httpBotNotices = (http: HttpClient, tokens: ServiceTokens, timeoutMs = TIMEOUT_MS): BotNotices => {
  const bot = peer('bot-engine', http, {
    timeoutMs,
    token: (storeId) => tokens.for('bot-engine', storeId),
    refusals: { 400: Rejected, 404: NotFound, 422: Rejected },
    breaker: { perStore: true },
  });
  return {
    tell: async (notice) => {
      const json = { ...notice, event: 'payment.paid' };
      const call = {
        method: 'POST',
        path: path('/api/webhook/payment-notification'),
        storeId: notice.idStore,
        json,
      } as const;
      try {
        const { data } = await bot.ask<Answer>({ ...call, fits: (body) => typeof body.data?.notified === 'boolean' });
        return { kind: 'told', notified: data.notified };
      } catch (failure) {
        return unanswered(failure);
      }
    },
  };
};
