import { anyGathered, gathered } from './gathered';

/** A read that the test ends; it finds a capital letter for each small one. */
const held = () => {
  const asked: string[][] = [];
  const ends: (() => void)[] = [];
  const read = async (keys: readonly string[]) => {
    asked.push([...keys]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  };
  return { asked, read, end: () => ends.shift()?.() };
};
const turn = () => new Promise(setImmediate);

describe('a gathered read', () => {
  it('is one for all who ask in the same turn, each of whom gets what is its own', async () => {
    const { asked, read, end } = held();
    const capitalOf = gathered(read);
    const answers = ['a', 'none', 'b', 'a'].map((key) => capitalOf(key));
    await turn();
    end();
    expect(await Promise.all(answers)).toEqual(['A', undefined, 'B', 'A']);
    expect(asked).toEqual([['a', 'none', 'b', 'a']]);
  });

  it('begins after it was asked for: who comes while two are under way shares the next', async () => {
    const { asked, read, end } = held();
    const capitalOf = gathered(read);
    const answers: Promise<string | undefined>[] = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      answers.push(capitalOf(key));
      await turn();
    }
    expect(asked).toEqual([['a'], ['b']]);
    end();
    await answers[0];
    await turn();
    expect(asked).toEqual([['a'], ['b'], ['c', 'd']]);
    end();
    end();
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D']);
  });

  it('fails only for the key that cannot be read', async () => {
    const capitalOf = gathered(async (keys) => {
      if (keys.includes('bad')) throw new Error('cannot be read');
      return new Map(keys.map((key) => [key, key.toUpperCase()]));
    });
    const answers = await Promise.allSettled(['a', 'bad', 'b'].map((key) => capitalOf(key)));
    expect(answers).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: new Error('cannot be read') },
      { status: 'fulfilled', value: 'B' },
    ]);
  });
});

it('a gathered question is true of the keys that its answer names', async () => {
  const isEven = anyGathered(async (keys) => keys.filter((key) => Number(key) % 2 === 0));
  expect(await Promise.all(['1', '2', '3', '4'].map((key) => isEven(key)))).toEqual([false, true, false, true]);
});
