export { chosenShipping, rateRefusals, type ChosenShipping, type ShippingAsked } from './choice';
export { placeOf, type Place } from './place';
export type { Rates } from './rates';
export { OrderShipping, RateOption, ShippingChoice } from './rates.dto';
export type { RateSource, ToSend } from './sending';
