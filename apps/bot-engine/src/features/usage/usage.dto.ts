import { Int, List, Text } from '@platform/validation';

const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };

/** `GET /internal/usage` (design 2.10). */
export class UsageQuery {
  @Text({ format: 'date', description: "The first day, in the store's time zone" }) from!: string;
  @Text({ format: 'date', description: 'The last one; at most 366 in all' }) to!: string;
  @Text({ optional: true, ...ID }) agent_id?: string;
}

class Used {
  @Int({ description: 'Turns in which the bot said something' }) replies!: number;
  @Int() handovers!: number;
  @Int({ description: 'Turns that no model could answer' }) fallbacks!: number;
  @Int() tokens_in!: number;
  @Int() tokens_out!: number;
  @Int({ description: 'Millionths of a dollar' }) cost_micros!: number;
  @Int({ description: 'Calls of models that have no price, which are not in the cost' }) unpriced!: number;
}

class UsedOnDay extends Used {
  @Text({ format: 'date' }) date!: string;
  @Int({ nullable: true, description: 'Milliseconds of the median turn' }) ms_p50!: number | null;
  @Int({ nullable: true }) ms_p95!: number | null;
}

export class UsageView extends Used {
  @List(() => UsedOnDay, { description: 'Every day from the first to the last' }) days!: UsedOnDay[];
}
