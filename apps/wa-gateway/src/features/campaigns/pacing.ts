import type { Clock } from '@platform/runtime';
import { nextOpening, type LaneSituation } from './forecast';
import { sentOn, type LaneRules } from './lane-rules';
import { localDay } from './local-time';
import { afterQuestion, afterSend, type Booking, type LanePace, type Pace, type Random } from './pace';

/** The pace of one device's campaigns: what its rules allow, and the pauses that are drawn. */
export class Pacing {
  constructor(
    private readonly rules: LaneRules,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** When one more may leave. */
  opens(lane: LaneSituation, now: Date): Date {
    return nextOpening(now, lane, this.rules);
  }

  sentToday(lane: LanePace, now: Date): number {
    return sentOn(now, lane, this.rules);
  }

  /** The lane after a send at this moment. */
  afterSend(lane: LanePace, pace: Pace): LanePace {
    return afterSend(lane, pace, this.booking());
  }

  /** The lane after a question to WhatsApp at this moment. */
  afterQuestion(lane: LanePace, pace: Pace): LanePace {
    return afterQuestion(lane, pace, this.booking());
  }

  private booking(): Booking {
    const now = this.now();
    return { now, day: localDay(now, this.rules.zone), random: this.random };
  }
}
