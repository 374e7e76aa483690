import type { Reader } from '../../../web/i18n/reader';
import type { PlanLimits } from '../plans/public';
import { billingTexts } from './billing.texts';

type Counted = keyof ReturnType<typeof billingTexts>['metrics'];
const KIB_IN_MB = 1_024;

/** A number of something, as people read it. */
export const countIn = (metric: Counted, value: number, t: Reader): string =>
  t.count(metric === 'storage' ? Math.round(value / KIB_IN_MB) : value);

/** What a plan allows, each under its name. */
export const limitsIn = (limits: PlanLimits, t: Reader): (readonly [string, string])[] =>
  (Object.entries(limits) as (readonly [Counted, number])[]).map(([metric, value]) => [
    billingTexts(t).metrics[metric],
    countIn(metric, value, t),
  ]);
