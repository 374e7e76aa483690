import type { Components, Measures } from '@platform/runtime';
import { checkAll } from './component-checks';
import { numbersOf } from './in-time';
import type { GaugeSource } from './metrics';

const label = 'component';

/** The metrics of a scrape are read at the same time: those of one component come from one reading. */
const readOnce = ({ read }: Measures): Measures['read'] => {
  let reading: ReturnType<Measures['read']> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
};

const upGauge = (components: Components): GaugeSource => ({
  name: 'component_up',
  help: 'Whether a part of the service can do its work now, as /health says: 1 or 0',
  label,
  read: async () => {
    const { checks } = await checkAll(components);
    return Object.fromEntries(Object.entries(checks).map(([name, state]) => [name, state === 'up' ? 1 : 0]));
  },
});

/**
 * Exposed on /metrics by every service: which of its components are up, and what they measure of themselves. In the order of the
 * components, a database before what asks it, and the checks last: a scrape must not count itself among those who wait for a
 * connection.
 */
export const componentGauges = (components: Components): GaugeSource[] => {
  const measuring = components
    .flat()
    .flatMap(({ name, measures }) => (measures ? [{ name, help: measures.help, read: readOnce(measures) }] : []));
  const helps = Object.assign({}, ...measuring.map(({ help }) => help)) as Measures['help'];
  const measured = Object.entries(helps).map(([name, help]) => ({
    ...{ name, help, label },
    read: () => numbersOf(measuring, async ({ read }) => (await read())[name]),
  }));
  return [...measured, upGauge(components)];
};
