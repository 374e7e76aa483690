import type { Component, Components } from '@platform/runtime';
import type { GaugeSource } from './metrics';

const LIMIT_MS = 2_000;

/** Time within which a component must answer to be counted. */
const counted = async (component: Component): Promise<number | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LIMIT_MS);
  });
  const asked = Promise.resolve(component.held?.()).catch(() => undefined);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
};

/** How many items each component holds back, by its name; without those that hold nothing or cannot answer now. */
export const heldBy = async (components: Components): Promise<Record<string, number>> => {
  const asked = components.flat().map(async (component) => [component.name, await counted(component)] as const);
  const counts = await Promise.all(asked);
  return Object.fromEntries(counts.filter((entry): entry is [string, number] => entry[1] !== undefined));
};

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
