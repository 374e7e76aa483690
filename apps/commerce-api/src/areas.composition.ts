import { joined, type Area } from './area';
import type { Config } from './config';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { composeSales } from './features/sales/sales.composition';
import { composeShop } from './features/shop/shop.composition';
import { composeStock } from './features/stock/stock.composition';
import { composeTeam } from './features/team/team.composition';

/** All areas of the shop together. */
export const composeAreas = (config: Config, parts: Parameters<typeof composeIdentity>[1]): Required<Area> => {
  const media = composeMedia(config, parts);
  return joined([
    media,
    composeCatalogue(config, { ...parts, media: media.library }),
    composeStock(parts),
    composeSales(parts),
    composeIdentity(config, parts),
    composeShop(config, parts),
    composeTeam(parts),
  ]);
};
