import type { Components } from '@platform/runtime';
import type { BreakerState } from './breaker';
import type { HttpClient, PeerHealth } from './client';
import type { GaugeSource } from './metrics';

const SHOWN: Readonly<Record<BreakerState, number>> = { closed: 0, half: 1, open: 2 };

const peersOf = (components: Components): PeerHealth[] =>
  components.flat().flatMap((component) => (component as Partial<HttpClient>).peers ?? []);

/** One number per sibling; for several of one name the worst, or the sum. */
const byName = (
  components: Components,
  of: (peer: PeerHealth) => number,
  joined: (one: number, other: number) => number,
): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const peer of peersOf(components)) all[peer.name] = joined(all[peer.name] ?? 0, of(peer));
  return all;
};

/** Exposed on /metrics by a service that calls siblings with `peer()`. */
export const peerGauges = (components: Components): GaugeSource[] =>
  peersOf(components).length === 0
    ? []
    : [
        {
          name: 'peer_breaker_state',
          help: 'Breaker of the calls to a sibling: 0 closed, 1 half open, 2 open',
          label: 'peer',
          read: async () => byName(components, ({ state }) => SHOWN[state], Math.max),
        },
        {
          name: 'peer_calls_refused_total',
          help: 'Calls to a sibling that failed at once: its breaker was open, or too many were under way',
          label: 'peer',
          counts: true,
          read: async () =>
            byName(
              components,
              ({ refusedCalls }) => refusedCalls,
              (one, other) => one + other,
            ),
        },
      ];
