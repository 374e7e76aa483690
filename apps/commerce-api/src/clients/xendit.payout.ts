import type { Notice, PayoutState } from '../features/gateways/port';
import { rowAt, textAt, type Row } from './provider.values';

const STATES: Readonly<Record<string, PayoutState['state']>> = {
  ACCEPTED: 'accepted',
  REQUESTED: 'accepted',
  LOCKED: 'accepted',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
  REVERSED: 'reversed',
};

const failureOf = (row: Row): { failure?: string } => {
  const failure = textAt(row, 'failure_code', 60);
  return failure === undefined ? {} : { failure };
};

/** A payout as Xendit answers it; a status that nobody knows yet is one under way. Undefined: it is none. */
export const payoutStateOf = (row: Row): PayoutState | undefined => {
  const [ref, status] = [textAt(row, 'id', 128), textAt(row, 'status', 40)];
  if (ref === undefined || status === undefined) return undefined;
  const state = Object.hasOwn(STATES, status) ? (STATES[status] ?? 'accepted') : 'accepted';
  return { ref, state, ...failureOf(row) };
};

const EVENTS: Readonly<Record<string, PayoutState['state']>> = {
  'payout.succeeded': 'succeeded',
  'payout.failed': 'failed',
  'payout.reversed': 'reversed',
};

/** A notice of a payout, told apart by its event. Undefined: it is none. */
export const payoutNoticeOf = (row: Row): Notice | undefined => {
  const [event, data] = [textAt(row, 'event', 40) ?? '', rowAt(row, 'data')];
  const [ref, referenceId] = [textAt(data, 'id', 128), textAt(data, 'reference_id', 128)];
  const state = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  if (state === undefined || ref === undefined || referenceId === undefined) return undefined;
  return { dedupeKey: `payout:${ref}:${event}`, payout: { ref, state, referenceId, ...failureOf(data) } };
};
