/** A message that waits for its turn: what every replica needs to take it. JSON; U+0000 and halves of pairs do not survive. */
export interface MailboxLine {
  readonly idStore: string;
  readonly idAgent: string;
  readonly idUser: string;
  readonly idMessage: string;
  /** The whole cleaned message; the mailbox does not look into it. */
  readonly message: unknown;
}

export type Offer =
  | { readonly kind: 'leader' | 'joined'; readonly token: string }
  | { readonly kind: 'dup'; readonly was: 'leader' | 'joined'; readonly token: string };

/** How a round ended: nothing left; more lines, same lease; more lines, lease given up; the lease was lost, nothing changed. */
export type Finish = 'done' | 'again' | 'left' | 'lost';

export interface Claimed {
  readonly conversation: string;
  readonly token: string;
}

/**
 * Whose turn it is, and with which messages (design 3.1). `conversation` is the conversation's key, `token` (a UUID) a leader's
 * lease, which ends by itself after `leaseMs`. No line that was offered is lost: until `finish` it is new or in flight.
 * Throws `Unavailable` while Redis, or without it the database, is down; an offer that throws may be repeated.
 */
export interface Mailbox {
  /** To be renewed well within this time. */
  readonly leaseMs: number;
  offer(conversation: string, line: MailboxLine, token: string): Promise<Offer>;
  /** Epoch milliseconds; 0 when unknown. */
  lastArrival(conversation: string): Promise<number>;
  /** Takes the new lines; all lines in flight, in the order of arrival. Null: the lease is lost. */
  drain(conversation: string, token: string): Promise<MailboxLine[] | null>;
  /** Counts a try of the lines in flight; 0 when the lease is lost. */
  attempt(conversation: string, token: string): Promise<number>;
  finish(conversation: string, token: string, mayContinue: boolean): Promise<Finish>;
  renew(conversation: string, token: string): Promise<boolean>;
  /** Gives up the lease and keeps the lines in flight; `claimDue` leaves them until `notBeforeMs` (epoch), a new line takes them along. */
  release(conversation: string, token: string, notBeforeMs: number): Promise<void>;
  /** Leases for conversations with lines that nobody leads, arrived at least so long ago, the longest waiting first; at most so many. */
  claimDue(minAgeMs: number, most?: number): Promise<Claimed[]>;
  /** A lease is held or lines are waiting. */
  pending(conversation: string): Promise<boolean>;
  /** Kept for a day, for repeats of the leader's message. */
  putReply(conversation: string, token: string, body: unknown): Promise<void>;
  /** Null: none. */
  getReply(conversation: string, token: string): Promise<unknown>;
  /** What waits now: conversations that are due although nobody leads them, and for how long the longest of them. */
  backlog(): Promise<{ readonly conversations: number; readonly oldestMs: number }>;
}
