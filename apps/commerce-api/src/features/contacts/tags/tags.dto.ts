import { sortsOf } from '@platform/data';
import { Choice, Int, Text, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';

const COLOR = { pattern: /^#[0-9a-fA-F]{6}$/, description: '`#RRGGBB`' };
const sorts = sortsOf(['name', 'created_at']);

export class TagsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`name` unless given' }) sort?: (typeof sorts)[number];
}

export class TagBody {
  @Text({ max: 40, trim: true }) name!: string;
  @Text({ optional: true, ...COLOR }) color?: string;
}

export class TagChange extends clearing(TagBody, { color: null }) {}

/** A tag as its contacts show it. */
export class TagName {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text({ nullable: true }) color!: string | null;
}

export class Tag extends TagName {
  @Int({ description: 'Contacts that have it' }) contacts!: number;
}
