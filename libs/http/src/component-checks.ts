import type { Component, Components } from '@platform/runtime';
import { inTime } from './in-time';

interface Verdict {
  /** Every required component is up. */
  readonly ok: boolean;
  readonly checks: Record<string, 'up' | 'down'>;
}

const stateOf = async (component: Component): Promise<'up' | 'down'> =>
  (await inTime(async () => (await component.check?.(), true))) ? 'up' : 'down';

/** Checks every component that has a check, all at once; one that does not answer within two seconds is down. */
export const checkAll = async (components: Components): Promise<Verdict> => {
  const asked = components.flat().filter(({ check }) => check);
  const states = await Promise.all(
    asked.map(async (component) => {
      const { name, optional } = component;
      return { name, optional, state: await stateOf(component) };
    }),
  );
  return {
    ok: states.every(({ state, optional }) => state === 'up' || optional),
    checks: Object.fromEntries(states.map(({ name, state }) => [name, state])),
  };
};
