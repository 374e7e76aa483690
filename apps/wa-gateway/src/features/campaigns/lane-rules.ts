import type { EngineKind } from '../../engines/engine.types';
import { localDay, localHour, nextLocalHour } from './local-time';
import type { LanePace } from './pace';

/** Hours of the day in which campaigns rest, over midnight when `from` is the later one. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** What holds for every campaign of a device. */
export interface LaneRules {
  readonly zone: string;
  readonly quiet?: QuietHours;
  /** Campaign sends a day. */
  readonly dailyLimit?: number;
}

export interface RuleSettings {
  readonly zone: string;
  readonly quiet: QuietHours | undefined;
  /** BULK_DAILY_LIMIT when it is set: then it holds for every engine. */
  readonly dailyLimit: number | undefined;
}

/** What WhatsApp tolerates from an unofficial client, at best; nobody publishes a number (design 3.6, choice). */
const BAILEYS_DAILY_LIMIT = 1_000;

/** Design 3.6: the simulator knows no night, and only baileys has a limit by itself. */
export const laneRules = (
  kind: EngineKind,
  { zone, quiet, dailyLimit = kind === 'baileys' ? BAILEYS_DAILY_LIMIT : undefined }: RuleSettings,
): LaneRules => ({ zone, quiet: kind === 'simulator' ? undefined : quiet, dailyLimit });

const isQuiet = (hour: number, { from, to }: QuietHours): boolean =>
  from <= to ? hour >= from && hour < to : hour >= from || hour < to;

/** When quiet hours that hold at this instant end; the instant itself when none do. */
export const afterQuiet = (at: Date, { quiet, zone }: LaneRules): Date =>
  quiet && isQuiet(localHour(at, zone), quiet) ? nextLocalHour(at, quiet.to, zone) : at;

/** The end of the stretch in which campaigns run and the day's count holds. */
export const endOfStretch = (at: Date, { quiet, zone }: LaneRules): Date => {
  const midnight = nextLocalHour(at, 0, zone);
  const evening = quiet && quiet.from !== quiet.to ? nextLocalHour(at, quiet.from, zone) : midnight;
  return evening < midnight ? evening : midnight;
};

/** Campaign sends of the day that `at` is in. */
export const sentOn = (at: Date, { day, sent }: Pick<LanePace, 'day' | 'sent'>, { zone }: LaneRules): number =>
  localDay(at, zone) === day ? sent : 0;

/** The first instant from `at` on at which one more campaign send is allowed. */
export const opening = (at: Date, lane: Pick<LanePace, 'day' | 'sent'>, rules: LaneRules): Date => {
  const awake = afterQuiet(at, rules);
  const isSpent = rules.dailyLimit !== undefined && sentOn(awake, lane, rules) >= rules.dailyLimit;
  return isSpent ? afterQuiet(nextLocalHour(awake, 0, rules.zone), rules) : awake;
};
