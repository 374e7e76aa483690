import type { Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { Area } from '../../area';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Queue } from '../../jobs';
import { CatalogueCopy } from './catalogue.copy';
import { CatalogueRepository } from './catalogue.repository';
import { dueCopies } from './due.copies';
import { FirstUse } from './first.use';
import { productSearch, type ProductSearch } from './product.search';

export interface CatalogueParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without commerce there is nothing to copy: searches answer from the rows that are there. */
  readonly commerce?: Pick<CommerceClient, 'products' | 'productsOf'>;
}

/** At 2 o'clock at night in Indonesia. */
const NIGHTLY = '10 19 * * *';

const copying = (commerce: NonNullable<CatalogueParts['commerce']>, parts: CatalogueParts): Area => {
  const { database, queue, clock, logger } = parts;
  const copy = new CatalogueCopy({ commerce, catalogue: new CatalogueRepository(database), clock, logger });
  const cron = [{ pattern: '*/5 * * * *' }, { pattern: NIGHTLY, payload: { full: true }, backfillSeconds: 3_600 }];
  return {
    jobs: {
      'catalogue.copy': { effect: 'inside', run: ({ storeId, full }) => copy.job(storeId, { full }) },
      'catalogue.first': { effect: 'inside', run: ({ storeId }) => copy.job(storeId) },
      'catalogue.due': { effect: 'inside', run: dueCopies(database, queue), cron },
    },
    runners: [
      {
        name: 'catalogue',
        tasks: ['catalogue.copy', 'catalogue.due'],
        concurrency: 4,
        share: { by: 'storeId', most: 1 },
      },
      // Behind the copies that are due, at night those of all products of all stores, nobody waits for an answer
      { name: 'catalogue-first', tasks: ['catalogue.first'], concurrency: 4, share: { by: 'storeId', most: 1 } },
    ],
  };
};

/** What the copy knows by now: nothing is copied, and commerce is not asked. */
export interface CopiedCatalogue {
  readonly products: ProductSearch;
  readonly productsOf: CatalogueRepository['named'];
}

/** The copy of the stores' products, and the search in it. */
export const composeCatalogue = (
  parts: CatalogueParts,
): { readonly area: Area; readonly search: ProductSearch; readonly copied: CopiedCatalogue } => {
  const { database, commerce } = parts;
  const catalogue = new CatalogueRepository(database);
  const copied: CopiedCatalogue = {
    products: productSearch({ catalogue, ready: () => Promise.resolve() }),
    productsOf: (storeId, skus) => catalogue.named(storeId, skus),
  };
  if (!commerce) return { area: {}, search: copied.products, copied };
  const firstUse = new FirstUse({ ...parts, catalogue });
  return {
    area: copying(commerce, parts),
    search: productSearch({ catalogue, ready: (storeId) => firstUse.ready(storeId) }),
    copied,
  };
};
