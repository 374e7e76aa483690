import type { Component } from '@platform/runtime';
import { heldBy, heldGauges } from './held';
import { createMetrics } from './metrics';

const component = (name: string, held?: () => Promise<number | undefined>): Component => ({ name, held });
const components = [
  component('database'),
  component('outbox', async () => 3),
  component('jobs', async () => 0),
  component('released', async () => undefined),
  component('failing', () => Promise.reject(new Error('away'))),
];

describe('work that components hold back', () => {
  it('held work is counted by component, without those that hold nothing or cannot answer', async () =>
    expect(await heldBy(components)).toEqual({ outbox: 3, jobs: 0 }));

  it('held work of a component that does not answer in two seconds is left out', async () => {
    jest.useFakeTimers();
    try {
      const asked = heldBy([component('stuck', () => new Promise(() => undefined))]);
      jest.advanceTimersByTime(2_000);
      expect(await asked).toEqual({});
    } finally {
      jest.useRealTimers();
    }
  });

  it('/metrics has a help text for held work', () => {
    const { name, help, label } = heldGauges(components)[0] ?? {};
    expect({ name, help, label }).toEqual({
      name: 'sends_held',
      help: 'What SENDS=held keeps back now: rows, jobs and messages that would lead outward',
      label: 'component',
    });
  });

  it('/metrics has one line of held work for each component', async () => {
    const metrics = createMetrics('fixture');
    heldGauges(components).forEach((gauge) => metrics.addGauge(gauge));
    const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('sends_held'));
    expect(lines).toEqual([
      'sends_held{component="outbox",service="fixture"} 3',
      'sends_held{component="jobs",service="fixture"} 0',
    ]);
  });

  it('/metrics has no value of held work after the release', async () => {
    let held: number | undefined = 2;
    const metrics = createMetrics('fixture');
    heldGauges([component('outbox', async () => held)]).forEach((gauge) => metrics.addGauge(gauge));
    const shown = async () => (await metrics.render()).split('\n').filter((line) => line.startsWith('sends_held'));
    const before = await shown();
    held = undefined;
    expect([before, await shown()]).toEqual([['sends_held{component="outbox",service="fixture"} 2'], []]);
  });

  it('/metrics has no line of held work in a service that cannot hold any', () =>
    expect(heldGauges([component('database')])).toEqual([]));
});
