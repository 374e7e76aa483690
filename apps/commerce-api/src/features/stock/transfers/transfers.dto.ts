import { Choice, Int, List, Text } from '@platform/validation';
import { PageQuery } from '../../../paging';

export const transferStatuses = ['draft', 'in_transit', 'received', 'cancelled'] as const;
const MOST_QTY = 100_000;
const MOST_LINES = 200;

export class TransfersQuery extends PageQuery {
  @Choice(transferStatuses, { optional: true }) status?: (typeof transferStatuses)[number];
}

export class SentLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 1, max: MOST_QTY }) qty!: number;
}

export class NewTransfer {
  @Text({ format: 'uuid' }) from_id!: string;
  @Text({ format: 'uuid' }) to_id!: string;
  @List(() => SentLine, { min: 1, max: MOST_LINES }) lines!: SentLine[];
}

export class ReceivedLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int({ min: 0, max: MOST_QTY }) received!: number;
}

export class Receipt {
  @List(() => ReceivedLine, { optional: true, max: MOST_LINES, description: 'Only what did not come as it was sent' })
  lines?: ReceivedLine[];
}

export class TransferLine {
  @Text({ format: 'uuid' }) variant_id!: string;
  @Int() qty!: number;
  @Int({ nullable: true }) received!: number | null;
}

export class Transfer {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) from_id!: string;
  @Text({ format: 'uuid' }) to_id!: string;
  @Choice(transferStatuses) status!: (typeof transferStatuses)[number];
  @List(() => TransferLine) lines!: TransferLine[];
  @Text({ format: 'instant' }) created_at!: string;
}
