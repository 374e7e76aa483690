import { pauseBefore, Supervisor } from './supervisor';
import type { Running, Unit } from './unit';

interface Life {
  readonly running: Running;
  die(reason: string): void;
}

/** A unit whose lives and deaths the test decides. */
const puppet = (name: string) => {
  const lives: Life[] = [];
  let born = () => undefined as void;
  const unit: Unit = {
    name,
    lastLines: () => '    last words',
    start: async () => {
      let die = (_: string) => undefined as void;
      const gone = new Promise<string>((resolve) => (die = resolve));
      const pid = lives.length + 1;
      lives.push({ running: { pid, ready: Promise.resolve(), gone, stop: async () => die('stopped') }, die });
      born();
      return lives[pid - 1]!.running;
    },
  };
  const nextLife = () => new Promise<void>((resolve) => (born = resolve));
  return { unit, lives, nextLife, dieNow: () => lives.at(-1)!.die('SIGKILL') };
};

const told: string[] = [];
const newSupervisor = () => {
  told.length = 0;
  return new Supervisor({
    died: (name, reason, lines) => told.push(`${name} died of ${reason}: ${lines.trim()}`),
    restarted: (name, pid) => told.push(`${name} is ${pid}`),
    gaveUp: (name) => told.push(`gave ${name} up`),
    changed: () => told.push('changed'),
  });
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** One death, and the restart that follows it. */
const deathAndRestart = async ({ dieNow, nextLife }: ReturnType<typeof puppet>): Promise<void> => {
  const born = nextLife();
  dieNow();
  await jest.advanceTimersByTimeAsync(pauseBefore(5));
  await born;
};

describe('the supervisor of units', () => {
  it('restarts a unit that died, and reports its new process id', async () => {
    const [supervisor, gateway] = [newSupervisor(), puppet('gateway')];
    await supervisor.start(gateway.unit);
    await deathAndRestart(gateway);
    expect(told).toEqual(['gateway died of SIGKILL: last words', 'changed', 'gateway is 2']);
    expect(supervisor.pids()).toEqual({ gateway: 2 });
  });

  it('gives up after five deaths within a minute', async () => {
    const [supervisor, gateway] = [newSupervisor(), puppet('gateway')];
    await supervisor.start(gateway.unit);
    for (let death = 1; death < 5; death++) await deathAndRestart(gateway);
    gateway.dieNow();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told.at(-1)).toBe('gave gateway up');
    expect(gateway.lives).toHaveLength(5);
  });

  it('goes on when the deaths are spread over more than a minute', async () => {
    const [supervisor, gateway] = [newSupervisor(), puppet('gateway')];
    await supervisor.start(gateway.unit);
    for (let death = 1; death <= 7; death++) {
      await deathAndRestart(gateway);
      await jest.advanceTimersByTimeAsync(20_000);
    }
    expect(told).not.toContain('gave gateway up');
    expect(supervisor.pids()).toEqual({ gateway: 8 });
  });

  it('restarts nothing while it stops', async () => {
    const [supervisor, gateway] = [newSupervisor(), puppet('gateway')];
    await supervisor.start(gateway.unit);
    await supervisor.stop(['gateway']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
    await expect(supervisor.start(puppet('late').unit)).rejects.toThrow('late is not started: the stack stops');
  });

  it('reports a first start that fails, with its last output', async () => {
    const { unit } = puppet('gateway');
    const failing: Unit = { ...unit, start: () => Promise.reject(new Error('ended (exit 1)')) };
    await expect(newSupervisor().start(failing)).rejects.toThrow(
      'gateway ended (exit 1). Its last lines:\n    last words',
    );
  });
});
