import type { Area } from '../../area';
import { shopPages, type ShopParts } from './shelf/shop.pages';

/** What everybody sees of a shop. */
export const composeShopfront = ({ database, sessions }: ShopParts): Area => ({
  ...{ endpoints: [], components: [], abilities: [] },
  pages: [shopPages({ database, sessions })],
});
