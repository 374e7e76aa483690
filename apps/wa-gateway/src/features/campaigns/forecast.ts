import { afterQuiet, endOfStretch, opening, sentOn, type LaneRules } from './lane-rules';
import { localDay } from './local-time';
import { meanInterval, type LanePace, type Pace } from './pace';

/** Sends that leave one after the other at one pace. */
export interface Stretch {
  readonly count: number;
  readonly pace: Pace;
  readonly startAt?: Date | null;
  readonly dailyLimit?: number | null;
}

export interface LaneSituation extends LanePace {
  readonly restrictedUntil: Date | null;
}

type Course = Pick<LanePace, 'day' | 'sent'> & { readonly at: Date; readonly lastAt: Date };

const latest = (...dates: readonly (Date | null | undefined)[]): Date =>
  new Date(Math.max(...dates.map((date) => date?.getTime() ?? Number.NEGATIVE_INFINITY)));

const lowest = (...limits: readonly (number | null | undefined)[]): number | undefined => {
  const known = limits.filter((limit) => typeof limit === 'number');
  return known.length > 0 ? Math.min(...known) : undefined;
};

/** When the lane may send next: its pause is over, and no restriction, night or limit holds. */
export const nextOpening = (now: Date, lane: LaneSituation, rules: LaneRules): Date =>
  opening(latest(now, lane.nextAt, lane.restrictedUntil), lane, rules);

const DAY_MS = 86_400_000;
/** This many days are walked one by one; the later ones repeat them. */
const SAMPLE_DAYS = 28;

/** A moment at which a rest ends, and what is left to send then. */
interface Morning {
  readonly at: Date;
  readonly left: number;
}

/** Repeats what happened between two mornings as often as possible in one step; at least one send is left. */
const leap = (from: Morning, { at, left }: Morning): Morning => {
  const days = Math.round((at.getTime() - from.at.getTime()) / DAY_MS);
  const times = days < SAMPLE_DAYS ? 0 : Math.ceil(left / (from.left - left)) - 1;
  return { at: new Date(at.getTime() + times * days * DAY_MS), left: left - times * (from.left - left) };
};

/** How many leave without a rest; at least one, as one may leave at an opening. */
const fitting = (
  at: Date,
  sent: number,
  { left, interval }: { left: number; interval: number },
  limits: LaneRules,
): number => {
  if (interval === 0 || (!limits.quiet && limits.dailyLimit === undefined)) return left;
  const fit = Math.ceil((endOfStretch(at, limits).getTime() - at.getTime()) / interval);
  return Math.max(1, Math.min(left, fit, (limits.dailyLimit ?? Number.POSITIVE_INFINITY) - sent));
};

/** Goes from one opening to the next: a stretch takes a few steps a day, for some weeks at most. */
const follow = (course: Course, { count, pace, startAt, dailyLimit }: Stretch, rules: LaneRules): Course => {
  const limits = { ...rules, dailyLimit: lowest(rules.dailyLimit, dailyLimit) };
  const interval = meanInterval(pace) * 1000;
  let { at, day, sent, lastAt } = course;
  let first: Morning | undefined;
  for (let left = count; left > 0;) {
    const wanted = latest(at, startAt);
    at = opening(wanted, { day, sent }, limits);
    if (at > wanted) {
      const before = left;
      first ??= { at, left };
      ({ at, left } = leap(first, { at, left }));
      if (left < before) [at, first] = [opening(at, { day, sent }, limits), undefined];
    }
    sent = sentOn(at, { day, sent }, limits);
    day = localDay(at, limits.zone);
    const leaving = fitting(at, sent, { left, interval }, limits);
    lastAt = new Date(at.getTime() + (leaving - 1) * interval);
    at = new Date(at.getTime() + leaving * interval);
    sent += leaving;
    left -= leaving;
  }
  return { at, day, sent, lastAt };
};

/** When the last send of these stretches leaves, with pauses of average length. */
export const forecast = (now: Date, lane: LaneSituation, rules: LaneRules, stretches: readonly Stretch[]): Date => {
  const at = latest(now, lane.nextAt, lane.restrictedUntil);
  const start: Course = { at, lastAt: afterQuiet(at, rules), day: lane.day, sent: lane.sent };
  return stretches.reduce((course, stretch) => follow(course, stretch, rules), start).lastAt;
};
