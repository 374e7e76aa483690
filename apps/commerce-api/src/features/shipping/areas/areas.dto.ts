import { Choice, Int, Money, Text, Texts } from '@platform/validation';

const AREA_ID = { max: 64, trim: true } as const;

export class CityQuery {
  @Text(AREA_ID) province_id!: string;
}

export class DistrictQuery {
  @Text(AREA_ID) city_id!: string;
}

export class AreaSearch {
  @Text({ min: 3, max: 80, trim: true, description: 'Name or postcode' }) q!: string;
  @Int({ optional: true, min: 1, max: 20, description: '10 unless given' }) limit?: number;
}

/** In the space `district` where it is a district's. */
export class AreaRow {
  @Text() id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) postcode!: string | null;
}

/** In the space `search`; its id is the `area_id` of addresses. */
export class FoundAreaRow {
  @Text() id!: string;
  @Text() label!: string;
  @Text() district!: string;
  @Text() city!: string;
  @Text() province!: string;
  @Text({ nullable: true }) postcode!: string | null;
}

export class CostAsked {
  @Text(AREA_ID) origin!: string;
  @Text(AREA_ID) destination!: string;
  @Choice(['district', 'search'], { optional: true, description: 'Whose ids both are; `search` unless given' })
  space?: 'district' | 'search';
  @Int({ min: 1, max: 150_000 }) weight_g!: number;
  @Texts({ min: 1, max: 10, maxLength: 20 }) couriers!: string[];
}

export class CostRow {
  @Text() courier!: string;
  @Text() service!: string;
  @Text() description!: string;
  @Money() cost!: number;
  @Text({ nullable: true, description: 'Days' }) etd!: string | null;
}
