import { Flag, Int, List, Nested, Text, Texts } from '@platform/validation';

/** Contacts by what is known of them; all conditions together. */
export class Segment {
  @Int({ optional: true, min: 1, max: 3650, description: 'Ordered within so many days' }) last_order_days?: number;
  @Int({ optional: true, min: 0, max: 1_000_000 }) min_orders?: number;
  @Text({ optional: true, max: 100, trim: true, description: 'Of any address' }) city?: string;
  @Text({ optional: true, max: 40, trim: true }) source?: string;
}

/** `all`, or some of the others, which hold together. */
export class Audience {
  @Flag({ optional: true }) all?: boolean;
  @Texts({ optional: true, min: 1, max: 100, description: 'Has one of these tags' }) tag_ids?: string[];
  @Texts({ optional: true, min: 1, max: 100, description: 'Has none of these' }) exclude_tag_ids?: string[];
  @Nested(() => Segment, { optional: true }) segment?: Segment;
  @Texts({ optional: true, min: 1, max: 1000 }) contact_ids?: string[];
}

export class AudienceAsked {
  @Nested(() => Audience) audience!: Audience;
}

class Sampled {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ nullable: true }) name!: string | null;
  @Text() phone!: string;
}

export class AudiencePreview {
  @Int({ description: 'Who gets it' }) count!: number;
  @List(() => Sampled, { description: 'The first ten of them' }) sample!: Sampled[];
  @Int({ description: 'Left out because they are blocked' }) blocked!: number;
  @Int({ description: 'Left out because they want no messages' }) opted_out!: number;
  @Int({ description: 'Left out because their number cannot be one' }) invalid!: number;
}
