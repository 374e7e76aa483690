import { getEventListeners } from 'node:events';
import type { HeardAround } from '../hearing/public';
import { createTurn, type TurnDeps } from './turn';
import type { TurnInput } from './turn.types';

it('a turn that is over leaves no listener for the end of the process behind, however long it might have taken', async () => {
  const stopping = new AbortController().signal;
  const listening: number[] = [];
  const understand = async (_: unknown, { signal }: HeardAround): Promise<never> => {
    listening.push(getEventListeners(stopping, 'abort').length);
    throw new Error(signal.aborted ? 'too late' : 'enough');
  };
  const input = {
    ...{ opened: { id: 'c1', lines: [] }, messages: [], conversation: {}, bot: { store: {}, agent: {} } },
    leader: { deadline: Date.now() + 45_000, stopping },
  } as unknown as TurnInput;
  const turn = createTurn({ hearing: { understand } } as unknown as TurnDeps);
  for (let n = 0; n < 3; n += 1) await expect(turn(input)).rejects.toThrow('enough');
  expect(listening).toEqual([1, 1, 1]);
  expect(getEventListeners(stopping, 'abort')).toHaveLength(0);
});
