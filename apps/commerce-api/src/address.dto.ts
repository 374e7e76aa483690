import { Phone, Text } from '@platform/validation';

class Place {
  @Text({ optional: true, max: 100, trim: true }) name?: string;
  @Phone({ optional: true }) phone?: string;
  @Text({ optional: true, max: 64, trim: true, description: 'Of the area search' }) area_id?: string;
  @Text({ optional: true, max: 100, trim: true }) district?: string;
  @Text({ optional: true, max: 100, trim: true }) city?: string;
  @Text({ optional: true, max: 100, trim: true }) province?: string;
  @Text({ optional: true, max: 10, trim: true }) postcode?: string;
  @Text({ optional: true, max: 200, trim: true }) note?: string;
}

/** Where something is sent from or to. */
export class Address extends Place {
  @Text({ max: 300, trim: true, description: 'Street and number' }) line!: string;
}

/** Where a store is, as far as it tells. */
export class StoreAddress extends Place {
  @Text({ optional: true, max: 300, trim: true }) line?: string;
}
