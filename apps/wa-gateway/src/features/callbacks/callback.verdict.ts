import { callbackRefusals, type CallbackPayload } from '@platform/contracts';
import type { Dead, Done, OutgoingRow, Retry, Verdict } from '@platform/outbox';
import type { CallAnswer } from '@platform/http';
import type { CallbackRow } from './callback.row';

export interface Patience {
  /** WEBHOOK_GIVE_UP: how long a receiver may be away. */
  readonly giveUpSeconds: number;
  /** WEBHOOK_REFUSED_MAX: how long it may refuse one message. */
  readonly refusedSeconds: number;
}

/** Only these members of the receiver's answer are looked at. */
interface Refusal {
  readonly result?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
}

type Tried = Pick<OutgoingRow<CallbackRow>, 'attempt' | 'payload'>;

const FIVE_MINUTES = 300;
const LONGEST_RETRY_AFTER = 3_600;
const STATUS_TRIES = 6;
const BAD_REQUEST_TRIES = 3;
/** Refusals that a message is granted in any case, even after a long wait for an absent receiver. */
const MESSAGE_TRIES = 10;
const FINAL: ReadonlySet<unknown> = new Set(Object.values(callbackRefusals));
/** The receiver answers, but cannot serve anybody at the moment: its breaker may open. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** The receiver has not been told yet of what the message belongs to. */
const UNTOLD: ReadonlySet<unknown> = new Set(['device_not_found', 'team_not_found']);
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

const done = (outcome: string): Done => ({ verdict: 'done', outcome });
const dead = (reason: string): Dead => ({ verdict: 'dead', reason });

/** Only refusals spend a try (`row.attempt`), so that an outage does not use up the tries of a later refusal. */
const unreached = (reason: string, { giveUpSeconds }: Patience, more: Partial<Retry> = {}): Retry => ({
  verdict: 'retry',
  reason,
  spend: false,
  maxAgeSeconds: giveUpSeconds,
  ...more,
});

/** No answer at all: network or time-out. */
export const noAnswerVerdict = (reason: string, patience: Patience): Verdict =>
  unreached(reason, patience, { transport: true });

const refusedStatus = (reason: string, { attempt }: Tried): Verdict =>
  attempt <= STATUS_TRIES ? { verdict: 'retry', reason, spend: true, afterSeconds: 2 ** (attempt - 1) } : dead(reason);

const refusedMessage = (reason: string, { attempt }: Tried, { refusedSeconds }: Patience): Verdict => ({
  verdict: 'retry',
  reason,
  spend: true,
  ...(attempt < MESSAGE_TRIES ? {} : { maxAgeSeconds: refusedSeconds }),
});

const refusedVerdict = (refusal: Refusal, row: Tried, patience: Patience): Verdict => {
  const callback: CallbackPayload = row.payload.callback;
  const reason = `refused: ${String(refusal.message)}`;
  if (refusal.code === 'internal' || (UNTOLD.has(refusal.code) && !callback.report)) return unreached(reason, patience);
  // The receiver's document knows four of our five statuses: its answer to `pending` is expected (design 1 row 6)
  if (refusal.message === callbackRefusals.statusNotValid && callback.status === 'pending')
    return done('pending refused');
  if (FINAL.has(refusal.message)) return dead(reason);
  return callback.report ? refusedStatus(reason, row) : refusedMessage(reason, row, patience);
};

/** RFC 9110 section 10.2.3: seconds or a date. */
const retryAfter = (header: string | string[] | undefined, now: Date): number | undefined => {
  if (typeof header !== 'string' || header === '') return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER) : undefined;
};

/** The table of design 3.5, except for its 413 row, which only the caller that knows of a file part can act on. */
export const answerVerdict = (answer: CallAnswer, row: Tried, patience: Patience, now: Date): Verdict => {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    const body = answer.json<Refusal | null>();
    return body?.result === false ? refusedVerdict(body, row, patience) : done(String(status));
  }
  const reason = `HTTP ${status}`;
  if (status >= 500 || TEMPORARY.has(status))
    return unreached(reason, patience, {
      afterSeconds: retryAfter(answer.headers['retry-after'], now),
      transport: AWAY.has(status),
    });
  if (status === 400) return row.attempt < BAD_REQUEST_TRIES ? { verdict: 'retry', reason, spend: true } : dead(reason);
  // An authentication or routing mistake of an operator must not cost messages
  return unreached(reason, patience, { afterSeconds: FIVE_MINUTES });
};
