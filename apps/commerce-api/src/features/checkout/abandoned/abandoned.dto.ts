import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Nested, Text } from '@platform/validation';
import { MOMENT } from '../../../moment';
import { PageQuery } from '../../../paging';

const sorts = sortsOf(['abandoned_at', 'total']);

export class AbandonedQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-abandoned_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
  @Flag({ optional: true }) reminded?: boolean;
}

class AbandonedBuyer {
  @Text() name!: string;
  @Text({ description: 'As somebody typed it: nobody has shown that it is theirs' }) phone!: string;
  @Text({ optional: true }) email?: string;
}

class AbandonedLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text() name!: string;
  @Int() qty!: number;
}

class AbandonedLink {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
}

/** A cart that was left before it was placed. */
export class AbandonedCart {
  @Text({ format: 'uuid', description: 'Names it in the path of its reminder' }) id!: string;
  @Nested(() => AbandonedBuyer, { nullable: true }) buyer!: AbandonedBuyer | null;
  @List(() => AbandonedLine) lines!: AbandonedLine[];
  @Int({ description: 'When it was changed last' }) total!: number;
  @Text() currency!: string;
  @Nested(() => AbandonedLink, { nullable: true }) link!: AbandonedLink | null;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant' }) abandoned_at!: string;
  @Text({ format: 'instant', nullable: true }) reminded_at!: string | null;
}
