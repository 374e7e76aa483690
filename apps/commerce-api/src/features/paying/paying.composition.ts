import { secretBox } from '@platform/auth';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Config } from '../../config';
import { accountsEndpoints } from './accounts/accounts.endpoints';
import { methodsEndpoints } from './methods/methods.endpoints';
import type { Gateways } from './methods/public';
import { paymentsPages } from './pages/payments.pages';
import { payingAbilities } from './paying.abilities';
import { proofsEndpoints, type PrivateFiles } from './proofs/proofs.endpoints';
import { ProofsService, type MediaLibrary } from './proofs/proofs.service';

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly gateways: Gateways;
  readonly media: { readonly library: MediaLibrary; readonly privately: PrivateFiles };
}

/** How buyers can pay a store, and what they show of having paid. */
export const composePaying = (
  { SHOP_SECRETS_KEY }: Config,
  { database, clock, media, gateways }: Parts,
): Area & { readonly proofs: ProofsService } => {
  const box = secretBox(SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const by = byOf(clock);
  const proofs = new ProofsService(database, media.library);
  return {
    proofs,
    endpoints: [
      ...methodsEndpoints({ database, by, box, gateways }),
      ...accountsEndpoints(database, by),
      ...proofsEndpoints(proofs, media.privately, by),
    ],
    pages: [paymentsPages({ database, by, box, gateways })],
    components: [],
    abilities: payingAbilities,
  };
};
