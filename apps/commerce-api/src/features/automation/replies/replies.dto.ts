import { sortsOf } from '@platform/data';
import { Choice, Text, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';

const sorts = sortsOf(['shortcut', 'created_at']);

export class QuickRepliesQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`shortcut` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 100, trim: true, description: 'Words of the shortcut or the text' }) q?: string;
}

export class QuickReplyBody {
  @Text({ max: 32, trim: true, description: 'What is typed for it' }) shortcut!: string;
  @Text({ max: 2000, visible: true, trim: true }) body!: string;
  @Text({
    optional: true,
    format: 'uuid',
    description: 'A file that was uploaded as `message` or another public purpose',
  })
  media_id?: string;
}

export class QuickReplyChange extends clearing(QuickReplyBody, { media_id: null }) {}

/** The design's Template (2.2) with a shortcut. */
export class QuickReply {
  @Text({ format: 'uuid' }) id!: string;
  @Text() shortcut!: string;
  @Text() body!: string;
  @Text({ nullable: true, format: 'uuid' }) media_id!: string | null;
}
