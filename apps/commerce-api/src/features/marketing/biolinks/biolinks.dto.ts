import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Nested, Slug, Text, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { BiolinkBlock } from './blocks.dto';

const sorts = sortsOf(['created_at', 'title']);
const COLOUR = { optional: true, pattern: /^#[0-9a-f]{6}$/, mismatch: { tag: 'colour', text: 'must be as #1a2b3c' } };
export const shapes = ['square', 'rounded', 'pill'] as const;

export class BiolinksQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in title or slug' }) q?: string;
}

/** How a page looks; what is left out is as the shop's pages look. */
export class BiolinkTheme {
  @Text(COLOUR) background?: string;
  @Text(COLOUR) text?: string;
  @Text(COLOUR) accent?: string;
  @Choice(shapes, { optional: true, description: 'Of its buttons' }) shape?: (typeof shapes)[number];
}

const SLUG = { description: 'Of the whole platform one page has it; words that the platform needs are refused' };
const TITLE = { max: 80, trim: true };
const BIO = { optional: true, max: 300, trim: true };
const AVATAR = { optional: true, format: 'uuid', description: 'A public picture of this store' } as const;

export class NewBiolink {
  @Slug(SLUG) slug!: string;
  @Text(TITLE) title!: string;
  @Text(BIO) bio?: string;
  @Text(AVATAR) avatar_media_id?: string;
  @Nested(() => BiolinkTheme, { optional: true }) theme?: BiolinkTheme;
}

class BiolinkFields {
  @Slug({ ...SLUG, optional: true }) slug?: string;
  @Text({ ...TITLE, optional: true }) title?: string;
  @Text(BIO) bio?: string | null;
  @Text(AVATAR) avatar_media_id?: string | null;
  @Nested(() => BiolinkTheme, { optional: true, description: 'Whole' }) theme?: BiolinkTheme;
}
export class BiolinkChange extends clearing(BiolinkFields, { bio: null, avatar_media_id: null, theme: {} }) {}

export class Publishing {
  @Flag() published!: boolean;
}

/** The design's Biolink (2.2), as lists show it. */
export class BiolinkRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text() slug!: string;
  @Text({ nullable: true, description: 'What is given out; null where the shop has no pages' }) url!: string | null;
  @Text() title!: string;
  @Text({ nullable: true }) bio!: string | null;
  @Text({ nullable: true }) avatar_url!: string | null;
  @Nested(() => BiolinkTheme) theme!: BiolinkTheme;
  @Flag({ description: 'Whether anybody but the store sees it' }) published!: boolean;
}

export class Biolink extends BiolinkRow {
  @List(() => BiolinkBlock, { description: 'From top to bottom' }) blocks!: BiolinkBlock[];
}

export class BiolinkDay {
  @Text({ format: 'date', description: 'Where the store is' }) day!: string;
  @Int() views!: number;
  @Int() clicks!: number;
}

export class BlockClicks {
  @Text({ format: 'uuid' }) id!: string;
  @Int() clicks!: number;
}

/** What people did with a page; programs are not counted. */
export class BiolinkStatistics {
  @Int() views!: number;
  @Int() clicks!: number;
  @List(() => BlockClicks, { description: 'Every block of the page, then those that are gone' }) blocks!: BlockClicks[];
  @List(() => BiolinkDay, { description: 'Every day, the first first' }) days!: BiolinkDay[];
}
