import { daysLater } from '../plans/public';
import type { Purchase } from './purchases.sql';
import type { Live } from './subscription.rules';

/** A period's bill is written so long before it begins, and can be paid so long after. */
export const AHEAD_DAYS = 7;
export const GRACE_DAYS = 7;
/** Days before the end on which an unpaid bill is told of. */
export const REMINDER_DAYS = [7, 3, 1, 0] as const;

/** Days before the end of a period at which something happens; after it the wallet is asked every day. */
const STAGES = [...REMINDER_DAYS, -1, -2, -3, -4, -5, -6, -GRACE_DAYS];

export const hasEnded = ({ period_end }: Pick<Live, 'period_end'>, at: Date): boolean => at >= period_end;
export const isDueAhead = ({ period_end }: Pick<Live, 'period_end'>, at: Date): boolean =>
  at >= daysLater(period_end, -AHEAD_DAYS);
export const isOverdue = ({ period_end }: Pick<Live, 'period_end'>, at: Date): boolean =>
  at >= daysLater(period_end, GRACE_DAYS);

type Planned = Pick<Live, 'period_end' | 'cancel_at_period_end'> & { readonly renewal: Purchase | undefined };

/** The next moment at which a period is nearer to its end, after `at`. */
export const nextStage = ({ period_end }: Pick<Live, 'period_end'>, at: Date): Date =>
  STAGES.map((days) => daysLater(period_end, -days)).find((stage) => stage > at) ?? at;

/** When something is to be done with a subscription next: at once where the bill of its next period is missing. */
export const nextAct = ({ renewal, ...live }: Planned, at: Date): Date => {
  if (live.cancel_at_period_end || renewal?.state === 'ahead') return live.period_end;
  return isDueAhead(live, at) && renewal === undefined ? at : nextStage(live, at);
};

/** How many days before the end a reminder is due that was not sent when the subscription was looked at for `actAt`. */
export const reminderOf = ({ period_end }: Pick<Live, 'period_end'>, actAt: Date, at: Date): number | undefined =>
  REMINDER_DAYS.filter((days) => at >= daysLater(period_end, -days) && actAt <= daysLater(period_end, -days)).at(-1);
