import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Nested, Text, Texts, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';

export const linkStates = ['active', 'disabled'] as const;
const sorts = sortsOf(['created_at', 'name', 'views']);
/** Lines of a cart, and so of what a link sells. */
export const MOST_LINES = 100;
const MOST_PIXELS = 10;

export class CheckoutLinksQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({ optional: true, max: 200, trim: true, description: 'Every word must occur in name or code' }) q?: string;
  @Choice(linkStates, { optional: true }) status?: (typeof linkStates)[number];
}

export class LinkLineInput {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
  @Flag({ optional: true, description: 'Buyers may take more, less or none of it; false unless given' })
  editable?: boolean;
}

export class LinkSettingsInput {
  @Flag({ optional: true }) require_address?: boolean;
  @Flag({ optional: true }) show_coupon?: boolean;
  @Text({ optional: true, format: 'url', max: 2048, trim: true, description: 'Where buyers go afterwards' })
  redirect_url?: string;
  @Texts({ optional: true, max: MOST_PIXELS, maxLength: 36 }) pixel_ids?: string[];
}

export class NewCheckoutLink {
  @Text({ max: 80, trim: true }) name!: string;
  @List(() => LinkLineInput, { min: 1, max: MOST_LINES }) lines!: LinkLineInput[];
  @Nested(() => LinkSettingsInput, { optional: true }) settings?: LinkSettingsInput;
}

export class LinkSettingsChange extends clearing(LinkSettingsInput, { redirect_url: null, pixel_ids: [] }) {}

export class CheckoutLinkChange {
  @Text({ optional: true, max: 80, trim: true }) name?: string;
  @List(() => LinkLineInput, { optional: true, min: 1, max: MOST_LINES }) lines?: LinkLineInput[];
  @Nested(() => LinkSettingsChange, { optional: true, description: 'Members that are left out stay' })
  settings?: LinkSettingsChange;
  @Choice(linkStates, { optional: true }) status?: (typeof linkStates)[number];
}

export class LinkLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text({ description: 'As it was when it was put in' }) name!: string;
  @Int() qty!: number;
  @Flag() editable!: boolean;
}

export class LinkSettings {
  @Flag({ description: 'Also where nothing is sent' }) require_address!: boolean;
  @Flag() show_coupon!: boolean;
  @Text({ nullable: true }) redirect_url!: string | null;
  @Texts() pixel_ids!: string[];
}

/** The design's CheckoutLink (2.2). */
export class CheckoutLink {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Text({ nullable: true, description: 'Where it opens; null where the shop has no pages' }) url!: string | null;
  @Text() name!: string;
  @List(() => LinkLine) lines!: LinkLine[];
  @Nested(() => LinkSettings) settings!: LinkSettings;
  @Choice(linkStates) status!: (typeof linkStates)[number];
  @Int({ description: 'Carts that were begun with it' }) views!: number;
  @Int({ description: 'Orders that were placed with it' }) placed!: number;
  @Int({ description: 'Of those, the paid ones' }) paid!: number;
}
