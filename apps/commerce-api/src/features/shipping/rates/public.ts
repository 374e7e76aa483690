export { anonymousBuyer } from '../askers';
export { chosenShipping, rateRefusals, type ChosenShipping, type ShippingAsked } from './choice';
export { placeOf, type Place } from './place';
export { quoteFor, type Rates } from './rates';
export { OrderShipping, RateOption, ShippingChoice } from './rates.dto';
export { sentOf, type Offer, type RateSource, type Sending, type ToSend } from './sending';
