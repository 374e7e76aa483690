import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import { SettingsService, type SettingsParts } from './settings/settings.service';
import { settingsPages } from './pages/settings.pages';
import { settingsEndpoints } from './settings/settings.endpoints';
import { shopAbilities } from './shop.abilities';
import { storeEndpoints } from './store/store.endpoints';
import { StoreService, type StoreParts } from './store/store.service';
import { tokensEndpoints } from './tokens/tokens.endpoints';
import { tokensPages } from './tokens/tokens.pages';
import { TokensService } from './tokens/tokens.service';

/** The shop's profile, settings and API tokens. */
export const composeShop = (
  { PUBLIC_URL }: Config,
  { database, clock, pushes, copies }: AreaParts & Pick<StoreParts, 'pushes'> & Pick<SettingsParts, 'copies'>,
): Area => {
  const store = { database, pushes, clock, publicUrl: PUBLIC_URL };
  const settings = { database, clock, copies };
  return {
    endpoints: [
      ...storeEndpoints(new StoreService(store)),
      ...tokensEndpoints(new TokensService(database, clock)),
      ...settingsEndpoints(new SettingsService(settings)),
    ],
    pages: [settingsPages({ ...store, ...settings }), tokensPages(database, clock)],
    components: [],
    abilities: shopAbilities,
  };
};
