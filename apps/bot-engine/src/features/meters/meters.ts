import type { GaugeSource } from '@platform/http';

/** How a request for a turn ended, as `X-Bot-Status` says it; `failed`: 503, the message waits for its next try. */
export const TURN_STATUSES = ['answered', 'merged', 'handover', 'skipped', 'fallback', 'failed'] as const;
export type TurnStatus = (typeof TURN_STATUSES)[number];

/** Why a customer got the fixed text: no model answered, the store's money or replies were used up, or five tries had failed. */
export const FALLBACK_REASONS = ['model', 'budget', 'tries'] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** What turns tell of themselves, for /metrics: counted by this process, since it started. */
export interface Meters {
  turn(status: TurnStatus): void;
  fallback(reason: FallbackReason): void;
  /** Somebody else had taken over what this process was still working on. */
  leaseLost(): void;
  /** The sweeper has answered what nobody led. */
  recovered(): void;
  cost(storeId: string, micros: number): void;
}

/** Stores with a number of their own: the first of a process. The others share one, or the metric would grow with the platform. */
const STORES = 100;
const OTHERS = 'other';

const zeros = (names: readonly string[]): Map<string, number> => new Map(names.map((name) => [name, 0]));

const raise = (counts: Map<string, number>, name: string, by = 1): void =>
  void counts.set(name, (counts.get(name) ?? 0) + by);

const counter = (name: string, help: string, label: string, counts: ReadonlyMap<string, number>): GaugeSource => ({
  ...{ name, help, label, counts: true },
  read: () => Promise.resolve(Object.fromEntries(counts)),
});

export const createMeters = (): { readonly meters: Meters; readonly gauges: readonly GaugeSource[] } => {
  const turns = zeros(TURN_STATUSES);
  const fallbacks = zeros(FALLBACK_REASONS);
  const dollars = new Map<string, number>();
  let [lost, recovered] = [0, 0];
  return {
    meters: {
      turn: (status) => raise(turns, status),
      fallback: (reason) => raise(fallbacks, reason),
      leaseLost: () => void (lost += 1),
      recovered: () => void (recovered += 1),
      cost: (storeId, micros) =>
        raise(dollars, dollars.has(storeId) || dollars.size < STORES ? storeId : OTHERS, micros / 1e6),
    },
    gauges: [
      counter('bot_turns_total', 'Requests for a turn by how they ended', 'status', turns),
      counter('bot_fallbacks_total', 'Turns that ended with the fixed text, by reason', 'reason', fallbacks),
      {
        ...{ name: 'bot_leases_lost_total', help: 'Turns that somebody else had taken over', counts: true },
        read: () => lost,
      },
      {
        ...{ name: 'bot_turns_recovered_total', help: 'Turns of messages that nobody led any more', counts: true },
        read: () => recovered,
      },
      counter('bot_cost_dollars_total', 'What models have cost, by store', 'store', dollars),
    ],
  };
};
