import { createMeters } from './meters';

const read = async ({ gauges }: ReturnType<typeof createMeters>, name: string) =>
  gauges.find((gauge) => gauge.name === name)?.read();

describe('the meters of turns', () => {
  it('begin at 0 with every status and reason, so that the first of each is seen as a rise', async () => {
    const opened = createMeters();
    expect(await Promise.all(opened.gauges.map((gauge) => gauge.read()))).toEqual([
      { answered: 0, merged: 0, handover: 0, skipped: 0, fallback: 0, failed: 0 },
      { model: 0, budget: 0, tries: 0 },
      0,
      0,
      {},
    ]);
    expect(opened.gauges.map(({ counts }) => counts)).toEqual(Array(5).fill(true));
  });

  it('count what they are told', async () => {
    const opened = createMeters();
    const { meters } = opened;
    for (const status of ['answered', 'answered', 'merged'] as const) meters.turn(status);
    meters.fallback('budget');
    meters.leaseLost();
    meters.recovered();
    meters.recovered();
    expect(await read(opened, 'bot_turns_total')).toMatchObject({ answered: 2, merged: 1, fallback: 0 });
    expect(await read(opened, 'bot_fallbacks_total')).toEqual({ model: 0, budget: 1, tries: 0 });
    expect([await read(opened, 'bot_leases_lost_total'), await read(opened, 'bot_turns_recovered_total')]).toEqual([
      1, 2,
    ]);
  });

  it('tell the costs of the first hundred stores, and of all others together', async () => {
    const opened = createMeters();
    for (let round = 0; round < 2; round += 1) for (let n = 0; n < 5_000; n += 1) opened.meters.cost(`S${n}`, 250_000);
    const costs = (await read(opened, 'bot_cost_dollars_total')) as Record<string, number>;
    expect(Object.keys(costs)).toHaveLength(101);
    expect([costs.S0, costs.S99, costs.S100, costs.other]).toEqual([0.5, 0.5, undefined, 2_450]);
  });
});
