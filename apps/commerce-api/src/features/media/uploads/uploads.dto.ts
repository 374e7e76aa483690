import { Choice, Int, Text } from '@platform/validation';
import { PageQuery } from '../../../paging';

export const purposes = ['product', 'logo', 'document', 'digital', 'message', 'proof'] as const;
export type Purpose = (typeof purposes)[number];

export class UploadBody {
  @Choice(purposes) purpose!: Purpose;
}

export class MediaQuery extends PageQuery {
  @Choice(purposes, { optional: true }) purpose?: Purpose;
  @Text({ optional: true, max: 100, trim: true, description: '`image/png`' }) mime?: string;
}

/**
 * As its caller may see it: who does not see every customer sees no proofs here, but with the orders that they see (ADR 87), and who may not
 * send in the identity check does not even learn what its documents are called.
 */
export class ShelfQuery extends MediaQuery {
  without!: readonly Purpose[];
}

export class Media {
  @Text({ format: 'uuid' }) id!: string;
  @Text({
    nullable: true,
    description: 'Stable and public; of what only some may see a link for the caller that expires, null for others',
  })
  url!: string | null;
  @Text() name!: string;
  @Text() mime!: string;
  @Int() bytes!: number;
  @Int({ nullable: true }) width!: number | null;
  @Int({ nullable: true }) height!: number | null;
  @Choice(purposes) purpose!: Purpose;
  @Int({ description: 'What shows it: it cannot be deleted before' }) refs!: number;
  @Text({ format: 'instant' }) created_at!: string;
}
