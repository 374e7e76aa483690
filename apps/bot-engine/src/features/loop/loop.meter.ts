import type { Attempt, ModelName, Price, PricedAttempt } from '../model/public';
import { priced } from '../model/public';
import { capMicros, estimateMicros } from './turn.cost';

/** What the calls of one turn took. */
export class LoopMeter {
  readonly attempts: PricedAttempt[] = [];
  private spent = 0;

  constructor(
    private readonly prices: ReadonlyMap<string, Price>,
    private readonly capMicrosOfTurn: number,
  ) {}

  get modelMs(): number {
    return this.attempts.reduce((sum, { ms }) => sum + ms, 0);
  }

  /** Adds attempts and returns them with their cost. */
  add(attempts: readonly Attempt[]): readonly PricedAttempt[] {
    const costed = priced(attempts, this.prices);
    this.attempts.push(...costed);
    for (const attempt of costed) this.spent += capMicros(attempt, this.prices);
    return costed;
  }

  /** Whether another call of this size fits into what a turn may cost. */
  allows(model: ModelName, usage: { readonly in: number; readonly out: number }): boolean {
    return this.spent + estimateMicros(model.model, usage, this.prices) <= this.capMicrosOfTurn;
  }
}
