import { Int, List, Slug, Text } from '@platform/validation';

export class NewCategory {
  @Text({ max: 80, trim: true }) name!: string;
  @Slug({ optional: true, description: 'Made from the name unless given' }) slug?: string;
  @Text({ optional: true, format: 'uuid' }) parent_id?: string;
}

export class CategoryChange {
  @Text({ optional: true, max: 80, trim: true }) name?: string;
  @Slug({ optional: true }) slug?: string;
}

export class CategoryPlace {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ optional: true, format: 'uuid', description: 'At the top unless given' }) parent_id?: string;
  @Int({ min: 0, max: 10_000 }) position!: number;
}

export class CategoryOrder {
  @List(() => CategoryPlace, { min: 1, max: 500 }) items!: CategoryPlace[];
}

/** A category as the tree shows it. */
export class Category {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ nullable: true }) parent_id!: string | null;
  @Text() name!: string;
  @Text() slug!: string;
  @Int() position!: number;
  @Int({ description: 'Products in it that are not archived' }) products!: number;
  @List(() => Category) children!: Category[];
}
