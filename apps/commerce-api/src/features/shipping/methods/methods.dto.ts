import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, Money, Text, Texts } from '@platform/validation';
import { PageQuery } from '../../../paging';

export const methodKinds = ['flat', 'pickup', 'cod'] as const;
export type MethodKind = (typeof methodKinds)[number];
const sorts = sortsOf(['name']);
const AREAS = 'Ids or names of places (district, city, province, postcode) that it goes to; none: everywhere';

export class ShippingMethodsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`name` unless given' }) sort?: (typeof sorts)[number];
  @Flag({ optional: true }) active?: boolean;
}

export class ShippingMethodBody {
  @Choice(methodKinds, { description: '`cod`: brought, and paid when it arrives' }) kind!: MethodKind;
  @Text({ max: 80, trim: true }) name!: string;
  @Money({ optional: true, description: '0 unless given' }) cost?: number;
  @Money({ optional: true, description: 'Goods for this much are sent for nothing' }) free_over?: number;
  @Texts({ optional: true, max: 200, maxLength: 64, description: AREAS }) areas?: string[];
  @Int({ optional: true, min: 1, max: 10_000_000 }) max_weight_g?: number;
  @Flag({ optional: true, description: 'true unless given' }) active?: boolean;
}

/** A way to send that the store has itself. */
export class ShippingMethod {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(methodKinds) kind!: MethodKind;
  @Text() name!: string;
  @Money() cost!: number;
  @Money({ nullable: true }) free_over!: number | null;
  @Texts({ description: AREAS }) areas!: string[];
  @Int({ nullable: true }) max_weight_g!: number | null;
  @Flag() active!: boolean;
}
