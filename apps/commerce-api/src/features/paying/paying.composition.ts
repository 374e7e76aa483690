import { secretBox } from '@platform/auth';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import { accountsEndpoints } from './accounts/accounts.endpoints';
import { methodsEndpoints } from './methods/methods.endpoints';
import { payingAbilities } from './paying.abilities';

/** How buyers can pay a store. */
export const composePaying = ({ SHOP_SECRETS_KEY }: Config, { database, clock }: AreaParts): Area => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const by = byOf(clock);
  return {
    endpoints: [...methodsEndpoints(database, by, box), ...accountsEndpoints(database, by)],
    components: [],
    abilities: payingAbilities,
  };
};
