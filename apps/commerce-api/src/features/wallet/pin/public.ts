export { PinKeeper, type ProvenPin } from './pin.keeper';
export { PIN_TRIES, pinRefusals } from './pin.rules';
