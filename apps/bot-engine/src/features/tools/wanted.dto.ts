import { Int, Text } from '@platform/validation';

/** A product and how many of it. */
export class WantedItem {
  @Text({ min: 1, max: 64, description: 'SKU from a tool result' }) sku!: string;
  @Int({ min: 1, max: 999, optional: true, description: '1 by default' }) quantity?: number;
}
