import type { Components } from '@platform/runtime';
import { numbersOf } from './in-time';
import type { GaugeSource } from './metrics';

/** How many items each component holds back, by its name; without those that hold nothing or cannot answer now. */
export const heldBy = (components: Components): Promise<Record<string, number>> =>
  numbersOf(components.flat(), (component) => component.held?.());

/** Exposed on /metrics where something can be held back; without a value while sends are released. */
export const heldGauges = (components: Components): GaugeSource[] =>
  components.flat().some(({ held }) => held)
    ? [
        {
          name: 'sends_held',
          help: 'What SENDS=held keeps back now: rows, jobs and messages that would lead outward',
          label: 'component',
          read: () => heldBy(components),
        },
      ]
    : [];
