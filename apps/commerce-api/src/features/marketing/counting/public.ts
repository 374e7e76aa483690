export { BEGINS, COUNTS, DAY_OF_ORDER, DaysQuery, daysOf, ENDS, REVENUE, type Days } from './days';
export { NO_PART, Tally } from './tally';
