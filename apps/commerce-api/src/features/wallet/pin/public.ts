export { PinKeeper, type ProvenPin } from './pin.keeper';
export { PIN_TRIES, pinRefusals } from './pin.rules';
export { NewPin, PinChange, PinReset } from './pin.dto';
export type { PinService } from './pin.service';
