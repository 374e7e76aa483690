import { until } from '@platform/testing';
import {
  newConversation,
  newToken,
  type KeyLeft,
  type MailboxStorage,
  type OpenedForTest,
  type standingClock,
} from './mailbox.fixture';
import type { Mailbox, MailboxLine } from './mailbox.types';

export interface Suite {
  readonly storage: MailboxStorage;
  readonly opened: OpenedForTest;
  readonly clock: ReturnType<typeof standingClock>;
  /** With a lease that ends soon. */
  readonly brief: (leaseMs: number) => Promise<Mailbox>;
}

export const ids = (lines: readonly MailboxLine[] | null): string[] | null =>
  lines?.map(({ idMessage }) => idMessage) ?? null;

/** Also behind what other tests left. */
export const ALL = 10_000;

/** Claims whatever other tests left, for longer than this one takes. */
export const nobodyWaits = async ({ storage, opened: { mailbox } }: Suite): Promise<void> => {
  const endsSoon = ({ key, ttlMs }: KeyLeft) => key.endsWith(':lease') && ttlMs < 5_000;
  await until(storage.keys, (keys) => !keys.some(endsSoon));
  await mailbox.claimDue(0, ALL);
};

/** An opened mailbox, a new conversation, and what is said in it. */
export const scene = ({ opened: { mailbox } }: Suite) => {
  const { key, line } = newConversation();
  const say = (id: string, token = newToken()) => mailbox.offer(key, line(id), token);
  const lead = async (id: string) => (await say(id)).token;
  const claimed = async (minAgeMs = 0) =>
    (await mailbox.claimDue(minAgeMs, ALL)).filter(({ conversation }) => conversation === key);
  return { mailbox, key, line, say, lead, claimed };
};
