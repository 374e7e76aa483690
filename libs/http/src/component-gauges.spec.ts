import type { Component } from '@platform/runtime';
import { componentGauges } from './component-gauges';
import { createMetrics } from './metrics';

const away = () => Promise.reject(new Error('away'));
const pool = (name: string, read: () => Promise<Record<string, number>>, more: Partial<Component> = {}): Component => ({
  ...{ name, ...more },
  measures: { help: { pool_busy: 'Connections in use', pool_waiting: 'Callers that wait' }, read },
});

const shown = async (components: Component[]): Promise<string[]> => {
  const metrics = createMetrics('fixture');
  for (const gauge of componentGauges(components)) metrics.addGauge(gauge);
  return (await metrics.render()).split('\n').filter((line) => /^(# HELP )?(component_up|pool_)/.test(line));
};

it('/metrics has what components measure by component, and a component that cannot answer costs no other one', async () => {
  let readings = 0;
  const database = pool('database', async () => ({ pool_busy: ++readings, pool_waiting: readings }), {
    check: () => Promise.resolve(),
  });
  expect(await shown([database, pool('searches', away, { check: away }), { name: 'mute' }])).toEqual([
    '# HELP pool_busy Connections in use',
    'pool_busy{component="database",service="fixture"} 1',
    '# HELP pool_waiting Callers that wait',
    'pool_waiting{component="database",service="fixture"} 1',
    '# HELP component_up Whether a part of the service can do its work now, as /health says: 1 or 0',
    'component_up{component="database",service="fixture"} 1',
    'component_up{component="searches",service="fixture"} 0',
  ]);
});

it('/metrics has no value of a component that leaves one out or does not answer in two seconds', async () => {
  const stuck = pool('stuck', () => new Promise(() => undefined));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance', 'hrtime'] });
  try {
    const asked = shown([stuck, pool('quiet', async () => ({ pool_busy: 0 }))]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await asked).filter((line) => line.startsWith('pool'))).toEqual([
      'pool_busy{component="quiet",service="fixture"} 0',
    ]);
  } finally {
    jest.useRealTimers();
  }
});
