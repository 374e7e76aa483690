import { Flag, Int, List, Nested, Text } from '@platform/validation';

const ID = { max: 64 };

class SeedStore {
  @Text(ID) store_id!: string;
  @Text({ max: 120 }) nama!: string;
  @Text({ optional: true, max: 64 }) tz?: string;
  @Text({ optional: true, max: 3 }) currency?: string;
  @Text({ optional: true, max: 1000 }) description?: string;
  @Text({ optional: true, max: 64 }) phone?: string;
  @Text({ optional: true, max: 300 }) address?: string;
  @Text({ optional: true, max: 200 }) hours?: string;
}

class SeedAgent {
  @Text(ID) id!: string;
  @Text({ max: 60 }) name!: string;
  @Text({ max: 8000 }) prompt!: string;
  @Flag({ optional: true }) vision?: boolean;
}

class SeedPolicy {
  @Text({ max: 120 }) title!: string;
  @Text({ max: 50_000 }) text!: string;
}

class SeedProduct {
  @Text(ID) sku!: string;
  @Text({ max: 200 }) name!: string;
  @Text({ optional: true, max: 120 }) category?: string;
  @Text({ optional: true, max: 500 }) description?: string;
  @Int({ min: 0 }) price!: number;
  @Int({ min: 0 }) stock!: number;
}

/** The parts of the demo shop that this service uses. */
export class Seed {
  @Nested(() => SeedStore) store!: SeedStore;
  @Nested(() => SeedAgent) ai_agent!: SeedAgent;
  @List(() => SeedProduct, { optional: true }) products?: SeedProduct[];
  /** What the agent knows beside its products. */
  @Nested(() => SeedPolicy, { optional: true }) policy?: SeedPolicy;
}
