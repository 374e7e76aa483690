import type { Config } from '../../config';
import type { RoomParts } from '../../room.parts';
import type { Prices } from '../model/public';
import { createBudget } from './budget.service';
import { budgetSums } from './budget.sums';
import type { Budget } from './budget.types';

const micros = (dollars: number): number => Math.round(dollars * 1e6);

/** The caps of all stores, counted by all processes together. */
export const composeBudget = (
  { STORE_DAY_CAP_USD, STORE_MONTH_CAP_USD }: Pick<Config, 'STORE_DAY_CAP_USD' | 'STORE_MONTH_CAP_USD'>,
  {
    database,
    cache,
    clock,
    logger,
    prices,
  }: Pick<RoomParts, 'database' | 'cache' | 'clock' | 'logger'> & { readonly prices: Prices },
): Budget =>
  createBudget({
    ...{ cache, prices, clock, logger, sums: budgetSums(database) },
    dayCapMicros: micros(STORE_DAY_CAP_USD),
    monthCapMicros: micros(STORE_MONTH_CAP_USD),
  });
