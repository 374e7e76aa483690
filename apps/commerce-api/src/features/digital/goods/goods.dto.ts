import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Nested, Text, clearing } from '@platform/validation';
import { PageQuery } from '../../../paging';
import { NewProduct, Product, ProductChange, ProductRow, productStatuses } from '../../catalogue/products/public';
import { DigitalFile } from '../files/public';
import { USUAL } from '../terms/public';

const sorts = sortsOf(['name', 'price', 'created_at', 'updated_at']);

export class DigitalQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Text({
    optional: true,
    max: 200,
    trim: true,
    description: 'Every word must occur in name, category, SKU or barcode',
  })
  q?: string;
  @Choice(productStatuses, { optional: true }) status?: (typeof productStatuses)[number];
}

/** How what is bought is handed over. */
export class DeliveryInput {
  @Int({ optional: true, min: 1, max: 100, description: 'Of each link; 5 unless given' }) max_downloads?: number;
  @Int({ optional: true, min: 1, max: 365, description: 'Days that a link works; 30 unless given' })
  valid_days?: number;
  @Flag({ optional: true, description: 'Each piece is a licence key; false unless given' }) needs_key?: boolean;
}

/** What is left out stays as it is, and null is as usual. */
export class DeliveryChange extends clearing(DeliveryInput, USUAL) {}

export class NewDigital extends NewProduct {
  @Nested(() => DeliveryInput, { optional: true }) delivery?: DeliveryInput;
}

class DigitalFields extends ProductChange {
  @Nested(() => DeliveryChange, { optional: true }) delivery?: DeliveryChange;
}

export class DigitalChange extends clearing(DigitalFields, { delivery: USUAL }) {}

export class DeliveryTerms {
  @Int() max_downloads!: number;
  @Int() valid_days!: number;
  @Flag() needs_key!: boolean;
}

/** A digital product as a list shows it. */
export class DigitalRow extends ProductRow {
  @Nested(() => DeliveryTerms) delivery!: DeliveryTerms;
  @Int({ description: 'How many' }) files!: number;
}

/** Licence keys by state. */
export class KeyCounts {
  @Int() free!: number;
  @Int({ description: 'By orders that wait for their payment' }) held!: number;
  @Int() assigned!: number;
  @Int({ description: 'Of what was given back: nobody gets them again' }) revoked!: number;
}

/** Product with files and keys. */
export class DigitalProduct extends Product {
  @Nested(() => DeliveryTerms) delivery!: DeliveryTerms;
  @List(() => DigitalFile) files!: DigitalFile[];
  @Nested(() => KeyCounts) keys!: KeyCounts;
}
