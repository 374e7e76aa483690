import { Choice, Flag, Int, List, Nested, Phone, Text, Texts } from '@platform/validation';

export const blockKinds = ['link', 'whatsapp', 'product', 'checkout', 'video', 'heading', 'social', 'qr'] as const;
export type BlockKind = (typeof blockKinds)[number];
export const networks = ['facebook', 'instagram', 'linkedin', 'telegram', 'threads', 'tiktok', 'x', 'youtube'] as const;
/** Of a page. */
export const MOST_BLOCKS = 100;

export class SocialLink {
  @Choice(networks) network!: (typeof networks)[number];
  @Text({ max: 2048, trim: true, description: 'http or https' }) url!: string;
}

/** What a block shows; which fields there are follows from its kind. */
export class BlockContent {
  @Text({ optional: true, max: 80, trim: true, description: 'Required but of product, checkout, video and qr' })
  title?: string;
  @Text({
    optional: true,
    max: 2048,
    trim: true,
    description: 'Of link and qr (http, https, tel, mailto or wa.me), and of video (http or https); required there',
  })
  url?: string;
  @Phone({ optional: true, description: 'Of whatsapp, required there' }) phone?: string;
  @Text({ optional: true, max: 1000, trim: true, description: 'Of whatsapp: what the message begins with' })
  text?: string;
  @Text({ optional: true, format: 'uuid', description: 'Of product, required there' }) product_id?: string;
  @Text({ optional: true, format: 'uuid', description: 'Of checkout, required there' }) checkout_link_id?: string;
  @List(() => SocialLink, { optional: true, min: 1, max: 12, description: 'Of social, required there' })
  links?: SocialLink[];
}

export class BlockBody {
  @Choice(blockKinds) kind!: BlockKind;
  @Nested(() => BlockContent, { description: 'Whole' }) data!: BlockContent;
  @Flag({ optional: true, description: 'Whether it is shown; a new one is' }) active?: boolean;
}

export class BlockOrder {
  @Texts({
    min: 1,
    max: MOST_BLOCKS,
    maxLength: 36,
    description: 'These first, in this order; the others stay behind them as they are',
  })
  ids!: string[];
}

export class BiolinkBlock {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(blockKinds) kind!: BlockKind;
  @Nested(() => BlockContent) data!: BlockContent;
  @Int() position!: number;
  @Flag({ description: 'Whether it is shown' }) active!: boolean;
}
