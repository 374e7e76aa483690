import { until } from '@platform/testing';
import type { Commerce } from '../../../commerce.fixture';

/** Until the service's own job of a refund has found no account of a provider: it comes again later, and leaves it alone meanwhile. */
export const leftAlone = async ({ database }: Pick<Commerce, 'database'>, id: string): Promise<void> => {
  const failed = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key = $1 AND last_error IS NOT NULL AND locked_at IS NULL`;
  await until(async () => (await database.query(failed, [`refund:${id}`])).length > 0 || undefined);
};
