export { Chance, idAt, idOf } from './chance';
export { categories, goods, type Goods } from './goods';
export { NEAR, people, SECOND_CITY, type Person } from './people';
export {
  accounts,
  coupons,
  links,
  MOST_ON_DELIVERY,
  NEXT_DAY,
  OWN_COURIER,
  PICKUP,
  REGULAR,
  sendings,
  tags,
  tax,
  type DemoCoupon,
  type Sending,
} from './terms';
