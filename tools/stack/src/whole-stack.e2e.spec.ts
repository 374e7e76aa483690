// End to end and slow: real `npm start` and `npm run demo` processes, on ports and in a folder of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentCalls, gatewayCalls, login } from './demo-calls';
import { takenPorts } from './free-ports';
import { SERVICES } from './ports';
import { commandOf, isAlive } from './process-table';
import { readStackFile, type StackFile } from './stack-file';
import { newStackPlace, until, type Command, type StackPlace } from './stack.fixture';
import { answersOk } from './unit';
import { workspaceRoot } from './workspace';

jest.setTimeout(180_000);

const CANARY = 'kanari-4711-tidak-boleh-tercatat';
const CUSTOMER = '6281277700001';

let place: StackPlace;
let stack: Command;
let file: StackFile;

const start = async (): Promise<void> => {
  stack = place.run('start');
  await stack.shows('npm run demo');
  file = readStackFile(place.folder)!;
};

/** What a terminal does at Ctrl-C. */
const signalGroup = (signal: NodeJS.Signals): boolean => process.kill(-stack.child.pid!, signal);

const customer = () => gatewayCalls(file.services['wa-gateway']!, file.demo.instance, CUSTOMER);
const agent = async () => agentCalls(file, await login(file), CUSTOMER);

/** The same conversation has other ids, sizes and times at each run. */
const withoutChance = (text: string): string =>
  text
    .replace(/S1\.[0-9a-f-]{36}/g, 'S1.<id>')
    .replace(/\d+ (ms|bytes)/g, 'N $1')
    .trimEnd();

const expectNothingLeft = async (): Promise<void> => {
  expect(Object.entries(file.pids).filter(([, pid]) => isAlive(pid))).toEqual([]);
  expect(await takenPorts(place.ports, true)).toEqual([]);
  expect(readStackFile(place.folder)).toBeUndefined();
};

beforeAll(async () => {
  place = await newStackPlace();
  await start();
});
afterAll(async () => {
  if (stack.child.exitCode === null) signalGroup('SIGTERM');
  await stack.ended;
  place.remove();
});

it('is ready with all six services, and stack.json names addresses and live processes', async () => {
  for (const name of SERVICES) expect(await answersOk(`${file.services[name]}/ready`)).toBe(true);
  expect(Object.keys(file.pids)).toEqual(expect.arrayContaining(['stack', 'postgres', 'llm', ...SERVICES]));
  for (const name of SERVICES) expect(commandOf(file.pids[name]!)).toContain(`apps/${name}/src/main.ts`);
});

it('plays the demo twice in a row, and prints what the README shows', async () => {
  const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  const [, shown = ''] = /<!-- demo:begin .*?-->\s*```\n(.*?)```/s.exec(readme) ?? [];
  for (let round = 1; round <= 2; round++) {
    const demo = place.run('demo');
    expect([await demo.ended, withoutChance(demo.output())]).toEqual([0, withoutChance(shown)]);
  }
});

it('refuses a second stack on the same folder', async () => {
  const second = place.run('start');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`A stack runs already with the data in ${place.folder}`);
});

it('starts a killed service again with a new entry in stack.json, and delivers what was written meanwhile', async () => {
  const before = file.pids['chat-backend']!;
  process.kill(before, 'SIGKILL');
  await customer().makePhone('Kanari');
  await customer().write(CANARY);
  await until('the restart', () => readStackFile(place.folder)?.pids['chat-backend'] !== before);
  file = readStackFile(place.folder)!;
  await until('readiness', () => answersOk(`${file.services['chat-backend']}/ready`));
  const calls = await agent();
  await until(
    'delivery',
    () =>
      calls.inbox().then(
        ({ data }) => data.some(({ pesan }) => pesan === CANARY),
        () => false,
      ),
    60_000,
  );
  expect((await calls.inbox()).data.filter(({ pesan }) => pesan === CANARY)).toHaveLength(1);
  expect(stack.output()).toContain('! chat-backend ended (SIGKILL) and is started again');
});

it('ends at Ctrl-C within 10 s, with no process and no port left', async () => {
  const since = performance.now();
  signalGroup('SIGINT');
  expect(await stack.ended).toBe(0);
  expect(performance.now() - since).toBeLessThan(10_000);
  await expectNothingLeft();
});

it('keeps secrets, passwords and messages out of its logs', () => {
  const secrets = JSON.parse(readFileSync(join(place.folder, 'secrets.json'), 'utf8')) as Record<string, string>;
  const logs = place.logs();
  expect(logs).toContain('"service":"chat-backend"');
  expect(Object.entries(secrets).flatMap(([name, secret]) => (logs.includes(secret) ? [name] : []))).toEqual([]);
  expect(logs).not.toContain(CANARY);
});

it('finds its data again at the second start', async () => {
  await start();
  expect(stack.output()).toContain('data of last time');
  const { data } = await (await agent()).inbox();
  expect(data.filter(({ pesan }) => pesan === CANARY)).toHaveLength(1);
});

it('leaves no service behind when it is killed, and the next start cleans up the rest', async () => {
  signalGroup('SIGKILL');
  const { postgres, redis, ...others } = file.pids;
  await until('the end of the services', () => Object.values(others).every((pid) => !isAlive(pid)));
  expect(isAlive(postgres!)).toBe(true);
  await start();
  expect([postgres, redis].filter((pid) => pid !== undefined && isAlive(pid))).toEqual([]);
  signalGroup('SIGTERM');
  expect(await stack.ended).toBe(0);
  await expectNothingLeft();
});
