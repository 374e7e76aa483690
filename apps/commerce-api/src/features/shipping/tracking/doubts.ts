import type { Tracked } from '../port';
import type { Parcel } from './tracking.sql';

/** Shops write a waybill down after its parcel has left, but not days after. */
const LATE_MS = 86_400_000;

/** Why what a courier says of an end of a parcel is not believed. */
export interface Doubt {
  readonly text: string;
  /** Nothing that it says is of our parcel. */
  readonly isOther: boolean;
}

/**
 * A waybill is typed by hand and numbers are given anew: a parcel that ended before ours was packed is another one. And cash is booked only of
 * one that was delivered in so many words: nobody knows who has one with others.
 */
export const doubtOf = ({ created_at, collects }: Parcel, tracked: Tracked): Doubt | undefined => {
  const { status, delivered, returned, plain, receivedAt, events } = tracked;
  if (!delivered && !returned) return undefined;
  const ended = receivedAt ?? events.at(-1)?.at;
  if (ended !== undefined && Date.parse(ended) < created_at.getTime() - LATE_MS)
    return { text: 'The courier tells of an older parcel: the waybill may be mistyped', isOther: true };
  if (!collects || returned || plain) return undefined;
  return { text: `The courier says ${status}: nobody knows whether its buyer has it`, isOther: false };
};
