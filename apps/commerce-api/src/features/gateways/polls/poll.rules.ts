import { cut } from '@platform/runtime';

const MINUTE_MS = 60_000;
const FIRST_MINUTES = 2;
const MOST_MINUTES = 30;

/** When a provider is asked next that was asked so often in vain: after 2 minutes, then after twice as long, half an hour at most. */
export const nextPoll = (now: Date, polls: number): Date =>
  new Date(now.getTime() + Math.min(MOST_MINUTES, FIRST_MINUTES * 2 ** Math.min(polls, 10)) * MINUTE_MS);

const LONGEST = 300;

/** A text of somebody else's making, as a column can hold it. */
export const plain = (text: string, longest = LONGEST): string => cut(text.replace(/\p{Cc}/gu, ' '), longest);
