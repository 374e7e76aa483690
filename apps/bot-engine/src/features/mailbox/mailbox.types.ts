/** A message that waits for its turn: what every replica needs to take it. JSON. */
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

/** Whose turn it is, and with which messages (design 3.1). `conversation` is the conversation's key, `token` a leader's lease. */
export interface Mailbox {
  offer(conversation: string, line: MailboxLine, token: string): Promise<Offer>;
  /** Epoch milliseconds; 0 when unknown. */
  lastArrival(conversation: string): Promise<number>;
  /** Takes the new lines; all lines in flight, in the order of arrival. Null: the lease is lost. */
  drain(conversation: string, token: string): Promise<MailboxLine[] | null>;
  /** Counts a try of the lines in flight; 0 when the lease is lost. */
  attempt(conversation: string, token: string): Promise<number>;
  finish(conversation: string, token: string, mayContinue: boolean): Promise<Finish>;
  renew(conversation: string, token: string): Promise<boolean>;
  /** Gives up the lease and keeps the lines in flight; nobody takes them before `notBeforeMs` (epoch). */
  release(conversation: string, token: string, notBeforeMs: number): Promise<void>;
  /** Leases for conversations with lines that nobody leads, arrived at least so long ago. */
  claimDue(minAgeMs: number): Promise<{ readonly conversation: string; readonly token: string }[]>;
  /** A lease is held or lines are waiting. */
  pending(conversation: string): Promise<boolean>;
  putReply(conversation: string, token: string, body: unknown): Promise<void>;
  getReply(conversation: string, token: string): Promise<unknown>;
}
