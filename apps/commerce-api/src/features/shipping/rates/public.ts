export { chosenShipping, rateRefusals, type ChosenShipping, type ShippingAsked } from './choice';
export { ownOffers } from './own-methods';
export { placeOf, type Place } from './place';
export type { Rates } from './rates';
export { OrderShipping, RateOption, ShippingChoice } from './rates.dto';
export { sentOf, type Offer, type RateSource, type ToSend } from './sending';
