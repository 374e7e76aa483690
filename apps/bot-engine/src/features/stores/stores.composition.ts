import type { Database } from '@platform/data';
import { ConfigurationError, type Clock, type Logger } from '@platform/runtime';
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

type Settings = Pick<Config, 'STORE_SOURCE' | 'COMMERCE_URL' | 'APP_ENV'>;

const problemOf = ({ STORE_SOURCE, COMMERCE_URL, APP_ENV }: Settings): string | undefined => {
  if (STORE_SOURCE === 'local')
    return APP_ENV === 'production'
      ? 'STORE_SOURCE must be commerce in production: local knows the stores of `seed` only'
      : undefined;
  return COMMERCE_URL === undefined ? 'STORE_SOURCE=commerce needs COMMERCE_URL' : undefined;
};

/** Where stores are looked up; `local` reads the rows that `seed` wrote. Throws `ConfigurationError`. */
export const composeStores = (settings: Settings, parts: Parts): StoreDirectory => {
  const problem = problemOf(settings);
  if (problem !== undefined) throw new ConfigurationError([problem]);
  return settings.STORE_SOURCE === 'local'
    ? localStores(parts.database)
    : new CommerceStores({ ...parts, copies: new StoreCopies(parts.database) });
};
