import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import { SettingsService, type SettingsParts } from './settings/settings.service';
import { settingsEndpoints } from './settings/settings.endpoints';
import { shopAbilities } from './shop.abilities';
import { storeEndpoints } from './store/store.endpoints';
import { StoreService, type StoreParts } from './store/store.service';
import { tokensEndpoints } from './tokens/tokens.endpoints';
import { TokensService } from './tokens/tokens.service';

/** The shop's profile, settings and API tokens. */
export const composeShop = (
  { PUBLIC_URL }: Config,
  { database, clock, pushes, copies }: AreaParts & Pick<StoreParts, 'pushes'> & Pick<SettingsParts, 'copies'>,
): Area => ({
  endpoints: [
    ...storeEndpoints(new StoreService({ database, pushes, clock, publicUrl: PUBLIC_URL })),
    ...tokensEndpoints(new TokensService(database, clock)),
    ...settingsEndpoints(new SettingsService({ database, clock, copies })),
  ],
  components: [],
  abilities: shopAbilities,
});
