import type { Database } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import type { CommerceClient } from '../../clients/commerce.client';
import type { Config } from '../../config';
import { CommerceStores } from './commerce.stores';
import { StoreCopies } from './store.copies';
import { localStores, type StoreDirectory } from './store.directory';

interface Parts {
  readonly database: Database;
  readonly commerce: CommerceClient;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where stores are looked up; `local` reads the rows that `seed` wrote. */
export const composeStores = ({ STORE_SOURCE }: Pick<Config, 'STORE_SOURCE'>, parts: Parts): StoreDirectory =>
  STORE_SOURCE === 'local'
    ? localStores(parts.database)
    : new CommerceStores({ ...parts, copies: new StoreCopies(parts.database) });
