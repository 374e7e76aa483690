import { Choice, Flag, Int, Nested, Text } from '@platform/validation';
import { metrics, type Metric } from '../../../limits';
import { Prices } from '../plans/public';

/** More of one thing than a plan has. */
export class Addon {
  @Text({ format: 'uuid' }) id!: string;
  @Text() code!: string;
  @Text() name!: string;
  @Choice(metrics) metric!: Metric;
  @Int({ description: 'How much more of it; storage in kibibytes' }) amount!: number;
  @Nested(() => Prices) prices!: Prices;
}

/** An add-on in force. */
export class ActiveAddon {
  @Text({ format: 'uuid' }) id!: string;
  @Nested(() => Addon) addon!: Addon;
  @Int({ min: 1 }) quantity!: number;
  @Int({ description: 'What was paid for the time in which it is in force' }) price!: number;
  @Text({ format: 'instant' }) from!: string;
  @Text({ format: 'instant' }) until!: string;
  @Flag({ description: 'Its time is its last one' }) cancel_at_period_end!: boolean;
}

export class AddonBuy {
  @Int({ optional: true, min: 1, max: 100, description: '1 unless given' }) quantity?: number;
}
