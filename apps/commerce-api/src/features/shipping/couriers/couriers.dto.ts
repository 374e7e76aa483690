import { Flag, Int, List, Money, Nested, Text, Texts } from '@platform/validation';

const CODE = {
  pattern: /^[a-z0-9_]{2,20}$/,
  mismatch: { tag: 'courier', text: 'must be 2 to 20 small letters or digits' },
};

export class Markup {
  @Int({ optional: true, min: 0, max: 10_000, description: 'Hundredths of a percent' }) percent_bp?: number;
  @Money({ optional: true }) fixed?: number;
}

export class CourierBody {
  @Text({ trim: true, ...CODE }) code!: string;
  @Texts({ optional: true, max: 30, maxLength: 60, description: 'All of them unless given' }) services?: string[];
  @Flag({ optional: true, description: 'true unless given' }) active?: boolean;
  @Nested(() => Markup, { optional: true }) markup?: Markup;
}

export class FreeShipping {
  @Money({ description: 'Of goods before a discount' }) min_subtotal!: number;
  @Money({ optional: true, description: 'Dearer ways are not free' }) max_cost?: number;
}

export class CouriersBody {
  @List(() => CourierBody, { max: 20 }) couriers!: CourierBody[];
  @Nested(() => FreeShipping, { optional: true }) free_shipping?: FreeShipping;
}

export class MarkupRow {
  @Int() percent_bp!: number;
  @Money() fixed!: number;
}

export class CourierRow {
  @Text() code!: string;
  @Texts({ description: 'Empty: all of them' }) services!: string[];
  @Flag() active!: boolean;
  @Nested(() => MarkupRow) markup!: MarkupRow;
}

export class FreeShippingRow {
  @Money() min_subtotal!: number;
  @Money({ nullable: true }) max_cost!: number | null;
}

/** Which couriers a store offers, and on what terms. */
export class Couriers {
  @List(() => CourierRow) couriers!: CourierRow[];
  @Nested(() => FreeShippingRow, { nullable: true }) free_shipping!: FreeShippingRow | null;
}
