import type { HeardAround } from '../hearing/public';
import { createTurn, type TurnDeps } from './turn';
import type { TurnInput } from './turn.types';

/** Whether files may still be fetched and written down in a turn of this kind. */
const mayHear = async (more: Partial<TurnInput>): Promise<boolean | undefined> => {
  let allowed: boolean | undefined;
  const understand = async (_: unknown, { signal }: HeardAround): Promise<never> => {
    allowed = !signal.aborted;
    throw new Error('enough');
  };
  const input = {
    ...{ opened: { id: 'c1', lines: [] }, messages: [], conversation: {}, bot: { store: {}, agent: {} } },
    ...{ leader: { deadline: Date.now() + 45_000, stopping: new AbortController().signal }, ...more },
  };
  const turn = createTurn({ hearing: { understand } } as unknown as TurnDeps);
  await expect(turn(input as unknown as TurnInput)).rejects.toThrow('enough');
  return allowed;
};

it('a store that may spend nothing more has no recordings written down either', async () => {
  expect(await mayHear({})).toBe(true);
  expect(await mayHear({ unasked: { reason: 'day', resumeAt: new Date() } as TurnInput['unasked'] })).toBe(false);
});
