import { NotFound, UpstreamFailed } from '@platform/errors';
import { fixedClock } from '@platform/runtime';
import { DeviceStates } from './device.states';

const NOW = '2026-03-01T08:00:00.000Z';
/** A gateway that knows two devices, has none of the third, and answers nonsense of the others. */
const startStates = () => {
  const [asked, clock] = [[] as string[], fixedClock(NOW)];
  const device = async (instance: string) => {
    asked.push(instance);
    if (instance === 'd3') throw new NotFound('Device not found');
    if (!['d1', 'd2'].includes(instance)) throw new UpstreamFailed('the answer is no device');
    return { instanceID: instance, status: 'connected' } as never;
  };
  return { asked, clock, states: new DeviceStates({ device }, clock) };
};
const shown = (told: ReadonlyMap<string, { readonly status: string } | null>) =>
  [...told].map(([instance, now]) => [instance, now && now.status]);

describe('the states of devices', () => {
  it('are asked one by one: what is wrong with one says nothing of the others, and nobody else is asked about', async () => {
    const { asked, states } = startStates();
    expect(shown(await states.of(['d1', 'broken', 'd2', 'd3']))).toEqual([
      ['d1', 'connected'],
      ['d2', 'connected'],
      ['d3', null],
    ]);
    expect(asked).toEqual(['d1', 'broken', 'd2', 'd3']);
  });

  it('are known for ten seconds, also where there was no answer, or until they change', async () => {
    const { asked, clock, states } = startStates();
    const all = ['d1', 'broken'];
    await Promise.all([states.of(all), states.of(all)]);
    clock.advance(9_999);
    await states.of(all);
    expect(asked.splice(0)).toEqual(all);
    states.forget('d1');
    await states.of(all);
    expect(asked.splice(0)).toEqual(['d1']);
    clock.advance(1);
    await states.of(all);
    expect(asked).toEqual(['broken']);
  });

  it('are those that somebody else has heard since', async () => {
    const { asked, states } = startStates();
    await states.of(['d1']);
    states.heard('d1', { instanceID: 'd1', status: 'logged_out' } as never);
    expect([shown(await states.of(['d1'])), asked]).toEqual([[['d1', 'logged_out']], ['d1']]);
  });

  it('are unknown where there is no gateway', async () => {
    expect([...(await new DeviceStates(undefined, fixedClock(NOW)).of(['d1']))]).toEqual([]);
  });
});
