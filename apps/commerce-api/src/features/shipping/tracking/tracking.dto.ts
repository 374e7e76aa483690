import { Flag, List, Text } from '@platform/validation';
import { ShipmentEvent } from '../parcels/public';

const DIGITS = { pattern: /^\d{4,5}$/, mismatch: { tag: 'digits', text: 'must be 4 or 5 digits' } };

export class WaybillQuestion {
  @Text({ min: 5, max: 40, trim: true }) waybill!: string;
  @Text({ optional: true, max: 20, trim: true, description: 'That of our shipment unless given' }) courier?: string;
  @Text({ optional: true, trim: true, ...DIGITS, description: 'The last digits of a phone' })
  phone_last?: string;
}

/** What a courier says of a parcel. */
export class Tracking {
  @Text({ nullable: true }) courier!: string | null;
  @Text() waybill!: string;
  @Text() status!: string;
  @Flag() delivered!: boolean;
  @Text({ nullable: true }) received_by!: string | null;
  @Text({ nullable: true, format: 'instant' }) received_at!: string | null;
  @List(() => ShipmentEvent, { description: 'From the oldest on' }) events!: ShipmentEvent[];
}
