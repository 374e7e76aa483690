import type { Chance } from '../shop/public';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type LocalTime, type Scene } from './scene';

export type StepKind =
  'placed' | 'paid' | 'processing' | 'packed' | 'shipped' | 'completed' | 'cancelled' | 'expired' | 'returned';

/** Something that happened to an order. */
export interface Step {
  readonly kind: StepKind;
  readonly at: Date;
  /** Who did it: a member, or the name of what did it by itself. */
  readonly actor: string;
  /** Of a payment: which part of what was due then. */
  readonly part?: number;
  /** Why. */
  readonly text?: string;
}

export type HandPaid = 'transfer' | 'cash' | 'cod';

/** What decides on how an order goes on. */
export interface Begun {
  readonly at: Date;
  readonly method: HandPaid;
  /** Who placed it. */
  readonly placedBy: string;
  /** Who looks after it. */
  readonly clerk: string;
  /** From 1 to 100: evenly spread over the orders, so that each outcome is there at any time. */
  readonly fate: number;
  /** Fetched from the shop. */
  readonly isFetched: boolean;
}

/** So long an order waits for its payment: the setting that the shop has left as it is. */
export const WAITS_MS = 24 * HOUR_MS;
const OPENS = 8;
const CLOSES = 20;

/** People work when the shop is open. */
const atWork = (clocks: LocalTime, at: Date): Date => {
  const shown = clocks.shown(at);
  const hour = shown.getUTCHours();
  if (hour >= OPENS && hour < CLOSES) return at;
  const opening = later(clocks.midnight(at), OPENS * HOUR_MS + (hour >= CLOSES ? DAY_MS : 0));
  return later(opening, shown.getUTCMinutes() * MINUTE_MS);
};

/** The steps of one order, each some time after the one before. */
class Story {
  readonly steps: Step[];

  constructor(
    private readonly clocks: LocalTime,
    private readonly chance: Chance,
    readonly begun: Begun,
  ) {
    this.steps = [{ kind: 'placed', at: begun.at, actor: begun.placedBy }];
  }

  /** After so many minutes, give or take. */
  then(kind: StepKind, minutes: number, more: Partial<Step> = {}): this {
    const before = this.steps.at(-1)?.at ?? this.begun.at;
    const at = atWork(this.clocks, later(before, (0.5 + this.chance.next()) * minutes * MINUTE_MS));
    this.steps.push({ kind, at, actor: this.begun.clerk, ...more });
    return this;
  }

  /** What follows without anybody's waiting. */
  and(kind: StepKind, more: Partial<Step> = {}): this {
    const at = later(this.steps.at(-1)?.at ?? this.begun.at, this.chance.whole(20, 90) * 1000);
    this.steps.push({ kind, at, actor: this.begun.clerk, ...more });
    return this;
  }
}

const sent = (story: Story, chance: Chance): Story => {
  story.then('processing', 45);
  if (chance.percent(35)) story.then('packed', 120);
  return story.then('shipped', 240);
};

const returned = (story: Story, chance: Chance): Story => (chance.percent(4) ? story.then('returned', 3_000) : story);

const byTransfer = (story: Story, chance: Chance): Story => {
  const { at, fate, isFetched } = story.begun;
  if (fate <= 9) {
    const over = later(at, WAITS_MS + chance.whole(5, 55) * 1000);
    story.steps.push({ kind: 'expired', at: over, actor: 'order.cancel-unpaid' });
    return story;
  }
  if (fate <= 14) return story.then('cancelled', 150, { text: 'Pembeli berubah pikiran' });
  if (fate <= 20) story.then('paid', 90, { part: 0.5 }).then('paid', 9_000);
  else story.then('paid', chance.percent(70) ? 50 : 400);
  if (isFetched) return story.then('processing', 60).then('completed', 900);
  return returned(sent(story, chance).then('completed', 5_400), chance);
};

const uponDelivery = (story: Story, chance: Chance): Story => {
  if (chance.percent(6)) return story.then('cancelled', 300, { text: 'Pembeli tidak dapat dihubungi' });
  return returned(sent(story, chance).then('paid', 2_600).and('completed'), chance);
};

/** What has become of an order until now: whatever would follow has not happened. */
export const lifeOf = ({ now, clocks }: Scene, chance: Chance, begun: Begun): Step[] => {
  const story = new Story(clocks, chance, begun);
  if (begun.method === 'cash') story.and('paid').and('processing').and('completed');
  else if (begun.method === 'cod') uponDelivery(story, chance);
  else byTransfer(story, chance);
  return story.steps.filter(({ at }) => at <= now);
};
