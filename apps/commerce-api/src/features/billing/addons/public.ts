export { ActiveAddon, Addon, AddonBuy } from './addons.dto';
export {
  addonsFor,
  endItems,
  findAddons,
  itemsOf,
  putItems,
  shownItem,
  suits,
  type Item,
  type PaidItem,
  type StoredAddon,
} from './addons.sql';
