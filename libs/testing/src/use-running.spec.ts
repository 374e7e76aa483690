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

describe('a suite that uses two things', () => {
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

  it('uses them as themselves: state, class, members', () =>
    expect([first.call(), first.call(), first instanceof Part, { ...first }]).toEqual([
      1,
      2,
      true,
      { name: 'first', calls: 2 },
    ]));

  it('is told when it asks before they run', () =>
    expect(refusal).toEqual(new Error('It does not run yet: use it in hooks and tests.')));
});

describe('a suite that uses a thing without a stop', () => {
  const server = useRunning(async () => ({ name: 'server', close: () => said.push('server closed') }));

  it('has it as well', () => expect(server.name).toBe('server'));
});

describe('a suite that wants a new thing for every test', () => {
  const part = useForEach(() => new Part('each'));

  it.each([1, 2])('has one that nobody used before: test %i', () => expect(part.call()).toBe(1));
});

describe('a suite whose tests open things', () => {
  const ended = useOpened();

  it('has them as they were opened', () =>
    expect([ended(new Part('opened')).call(), ended(new Part('opened later')).name]).toEqual([1, 'opened later']));

  it('has them ended behind each test, the last opened first', () =>
    expect(said.slice(-2)).toEqual(['opened later stopped', 'opened stopped']));
});

it('what suites used is stopped after its last test, the last started first', () =>
  expect(said).toEqual([
    'second after first stopped',
    'first stopped',
    'server closed',
    'each stopped',
    'each stopped',
    'opened later stopped',
    'opened stopped',
  ]));
