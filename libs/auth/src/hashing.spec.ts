import { CheckSlots } from './check-slots';
import { SecretHasher } from './hashing';

const cost = { memoryCost: 8192, timeCost: 1, parallelism: 1 };

describe('a password hash', () => {
  const passwords = new SecretHasher('passwords', { cost });
  beforeAll(() => passwords.start());

  it('is argon2id with its own salt, and matches only its password', async () => {
    const [one, two] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=8192,t=1,p=1\$/);
    expect(one).not.toBe(two);
    expect([await passwords.matches(one, 'secret'), await passwords.matches(one, 'Secret')]).toEqual([true, false]);
  });

  it('that does not exist is checked all the same, and never matches', async () =>
    expect(await passwords.matches(undefined, 'secret')).toBe(false));

  it('is weak when it was made with lower parameters than configured', async () => {
    const stronger = new SecretHasher('passwords', { cost: { ...cost, memoryCost: 16_384 } });
    const made = await passwords.hash('secret');
    expect([passwords.isWeak(made), stronger.isWeak(made), passwords.isWeak('$2b$10$abc')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

it('a hash with a pepper matches with that pepper only', async () => {
  const [one, other, none] = ['one pepper', 'another one', undefined].map(
    (pepper) => new SecretHasher('pins', { cost, ...(pepper === undefined ? {} : { pepper }) }),
  ) as [SecretHasher, SecretHasher, SecretHasher];
  const made = await one.hash('730194');
  expect(await Promise.all([one, other, none].map((hasher) => hasher.matches(made, '730194')))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('password checks', () => {
  it('run and wait up to their limits, and are refused beyond', async () => {
    const slots = new CheckSlots(2, 3);
    const finish: (() => void)[] = [];
    let most = 0;
    let running = 0;
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise<void>((resolve) => finish.push(resolve));
      running -= 1;
    };
    const accepted = Array.from({ length: 5 }, () => slots.run(work));
    await expect(slots.run(work)).rejects.toMatchObject({ kind: 'tooMany', retryAfterSeconds: 1 });
    for (let done = 0; done < 5; done++) {
      while (finish.length === 0) await new Promise(setImmediate);
      finish.shift()?.();
    }
    await Promise.all(accepted);
    expect(most).toBe(2);
  });

  it('release their slot when they fail', async () => {
    const slots = new CheckSlots(1, 0);
    await expect(slots.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.run(() => Promise.resolve('next'))).toBe('next');
  });
});
