import { useForEach, useOpened, useRunning } from './use-running';

const said: string[] = [];

class Part {
  private calls = 0;
  constructor(readonly name: string) {}

  async stop(): Promise<void> {
    said.push(`${this.name} stopped`);
  }

  call(): number {
    return ++this.calls;
  }
}

describe('a suite that uses two running objects', () => {
  const first = useRunning(async () => new Part('first'));
  const second = useRunning(async () => new Part(`second after ${first.name}`));
  const tooEarly = () => second.name;
  let refusal: unknown;
  try {
    tooEarly();
  } catch (error) {
    refusal = error;
  }

  it('starts them in order and has them in constants', () =>
    expect([first.name, second.name, said]).toEqual(['first', 'second after first', []]));

  it('uses them as if directly: state, class, members', () =>
    expect([first.call(), first.call(), first instanceof Part, { ...first }]).toEqual([
      1,
      2,
      true,
      { name: 'first', calls: 2 },
    ]));

  it('gets an error when it uses them before they run', () =>
    expect(refusal).toEqual(new Error('It does not run yet: use it in hooks and tests.')));
});

describe('a suite that uses an object without a stop', () => {
  const server = useRunning(async () => ({ name: 'server', close: () => said.push('server closed') }));

  it('can use it as well', () => expect(server.name).toBe('server'));
});

describe('a suite with a new object for every test', () => {
  const part = useForEach(() => new Part('each'));

  it.each([1, 2])('has a fresh one: test %i', () => expect(part.call()).toBe(1));
});

describe('a suite whose tests open objects', () => {
  const ended = useOpened();

  it('has them as opened', () =>
    expect([ended(new Part('opened')).call(), ended(new Part('opened later')).name]).toEqual([1, 'opened later']));

  it('has them ended after each test, the last opened first', () =>
    expect(said.slice(-2)).toEqual(['opened later stopped', 'opened stopped']));
});

it("a suite's running objects are stopped after its last test, the last started first", () =>
  expect(said).toEqual([
    'second after first stopped',
    'first stopped',
    'server closed',
    'each stopped',
    'each stopped',
    'opened later stopped',
    'opened stopped',
  ]));
