import type { Clock } from '@platform/runtime';
import type { EngineKind } from '../../engines/engine.types';
import type { BroadcastRow, CampaignsRepository, LaneStretch } from './campaigns.repository';
import { forecast, nextOpening, type LaneSituation, type Stretch } from './forecast';
import { sentOn, type LaneRules } from './lane-rules';
import { localDay } from './local-time';
import { afterSend } from './pace';

const LONG_AGO = new Date(0);
/** A lane that was never used. */
const freshLane: LaneSituation & { readonly lastSingle: boolean } = {
  nextAt: LONG_AGO,
  lastAt: LONG_AGO,
  day: '',
  sent: 0,
  batch: 0,
  restrictedUntil: null,
  lastSingle: false,
};

/** When what waits in the campaign lane of a device leaves (design 3.6). */
export class Timetable {
  constructor(
    private readonly campaigns: Pick<CampaignsRepository, 'lane' | 'ahead'>,
    private readonly rulesOf: (kind: EngineKind) => LaneRules,
    private readonly clock: Clock,
  ) {}

  /** When the last of these sends leaves. Everything that begins earlier leaves first. */
  async finishOf(instanceId: string, kind: EngineKind, own: Stretch): Promise<Date> {
    const now = this.clock.now();
    const { lane, ahead } = await this.situation(instanceId, now);
    const earlier = ahead.filter(({ startAt }) => (startAt ?? now) <= (own.startAt ?? now));
    return forecast(now, lane, this.rulesOf(kind), [...earlier, own]);
  }

  /** When the next send of this broadcast leaves; undefined when none of it waits. */
  async nextOf(
    { instanceId, broadcastId }: Pick<BroadcastRow, 'instanceId' | 'broadcastId'>,
    kind: EngineKind,
  ): Promise<Date | undefined> {
    const now = this.clock.now();
    const { lane, ahead } = await this.situation(instanceId, now);
    const place = ahead.findIndex((stretch) => stretch.broadcastId === broadcastId);
    const own = ahead[place];
    // Single sends and a broadcast take turns; only broadcasts wait for one another
    const before = ahead.slice(0, place).filter((stretch) => stretch.broadcastId !== null);
    return own && forecast(now, lane, this.rulesOf(kind), [...before, { ...own, count: 1 }]);
  }

  /** Seconds, one at least, until the first single send that waits leaves; a broadcast whose turn it is goes before it. */
  async secondsToNextPlace(instanceId: string, kind: EngineKind): Promise<number> {
    const now = this.clock.now();
    const free = await this.nextPlace(instanceId, kind, now);
    return Math.max(1, Math.ceil((free.getTime() - now.getTime()) / 1000));
  }

  private async nextPlace(instanceId: string, kind: EngineKind, now: Date): Promise<Date> {
    const { lane, ahead } = await this.situation(instanceId, now);
    const rules = this.rulesOf(kind);
    if (ahead.every(({ broadcastId }) => broadcastId !== null)) return now;
    const opens = nextOpening(now, lane, rules);
    const isReady = ({ broadcastId, startAt, dailyLimit }: LaneStretch): boolean =>
      broadcastId !== null && (startAt ?? opens) <= opens && (dailyLimit ?? Infinity) > sentOn(opens, lane, rules);
    const before = lane.lastSingle ? ahead.find(isReady) : undefined;
    if (!before) return opens;
    // A draw of 0 is the middle of the range; the pause after a batch is as long as it is
    const booking = { now: opens, day: localDay(opens, rules.zone), random: () => 0 };
    return nextOpening(opens, { ...lane, ...afterSend(lane, before.pace, booking) }, rules);
  }

  private async situation(instanceId: string, now: Date) {
    const { campaigns } = this;
    const [lane = freshLane, ahead] = await Promise.all([campaigns.lane(instanceId, now), campaigns.ahead(instanceId)]);
    return { lane, ahead };
  }
}
