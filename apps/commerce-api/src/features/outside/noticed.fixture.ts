import { until } from '@platform/testing';
import type { Commerce } from '../../commerce.fixture';

interface Noticed {
  readonly event: string;
  readonly url: string;
  readonly body: string;
}

/** What the members of a store have been told of such an event, once they were. */
export const noticedOf = (
  { database }: Pick<Commerce, 'database'>,
  storeId: string,
  event: string,
): Promise<Noticed[]> =>
  until(
    () =>
      database.query<Noticed>('SELECT event, url, body FROM notification WHERE store_id = $1 AND event = $2', [
        ...[storeId, event],
      ]),
    ({ length }) => length > 0,
  );
