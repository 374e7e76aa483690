import { Text } from '@platform/validation';
import { SessionBuyer, SessionItems } from './sessions.dto';

/** The lines of a cart as its form has them; one of them may be taken out. */
export class LinesForm extends SessionItems {
  @Text({ optional: true, format: 'uuid' }) without?: string;
}

/** Who buys, and where it goes: the place in the buyer's words, until its area is known. */
export class BuyerForm extends SessionBuyer {
  @Text({ optional: true, max: 80, trim: true }) place?: string;
  /** What the place was called when the areas were found of which one is chosen. */
  @Text({ optional: true, max: 80, trim: true }) asked?: string;
}

const CHOICE = { max: 170, trim: true } as const;

/** A quote and its option, as one choice. */
export class ShippingForm {
  @Text(CHOICE) choice!: string;
}

/** How it is paid, and the total that its button says. */
export class PlaceForm {
  @Text({
    max: 40,
    pattern: /^(cash|transfer|cod|a|b|c) \d{1,15}$/,
    mismatch: { tag: 'oneof', text: 'is no way to pay' },
  })
  choice!: string;
  @Text({ optional: true, max: 500, trim: true }) note?: string;
}
