export { DAY_MS, daysLater, endOf, periods, wholeSecond, type Period } from './period';
export { creditOf, restOf, type PaidTime } from './proration';
export { Plan, PlanFile, PlanLimits, Prices } from './plans.dto';
export { plansEndpoints } from './plans.endpoints';
export {
  findPlan,
  largestPlan,
  plansOnSale,
  planOnSale,
  shownPlan,
  trialPlan,
  upsertPlan,
  type StoredPlan,
} from './plans.sql';
