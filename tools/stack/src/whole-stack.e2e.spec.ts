// End to end and slow: real `npm start` and `npm run demo` processes, on ports and in a folder of their own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { agentCalls, gatewayCalls, login } from './demo-calls';
import { takenPorts } from './free-ports';
import { SERVICES } from './ports';
import { commandOf, isAlive } from './process-table';
import { readStackFile, type StackFile } from './stack-file';
import { databaseSecret, loadSecrets } from './secrets';
import { newStackPlace, until, type Command, type StackPlace } from './stack.fixture';
import { answersOk } from './unit';
import { workspaceRoot } from './workspace';

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

/** Replaces ids, sizes and times, which differ between runs. */
const withoutChance = (text: string): string =>
  text
    .replace(/S1\.[0-9a-f-]{36}/g, 'S1.<id>')
    .replace(/\d+ (ms|bytes)/g, 'N $1')
    .trimEnd();

const playDemo = async (where: StackPlace): Promise<void> => {
  const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  const [, shown = ''] = /<!-- demo:begin .*?-->\s*```\n(.*?)```/s.exec(readme) ?? [];
  const demo = where.run('demo');
  expect([await demo.ended, withoutChance(demo.output())]).toEqual([0, withoutChance(shown)]);
};

const expectNothingLeft = async (): Promise<void> => {
  expect(Object.entries(file.pids).filter(([, pid]) => isAlive(pid))).toEqual([]);
  expect(await takenPorts(place.ports, true, true)).toEqual([]);
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

it('npm start is ready with all six services, and stack.json names addresses and live processes', async () => {
  for (const name of SERVICES) expect(await answersOk(`${file.services[name]}/ready`)).toBe(true);
  expect(Object.keys(file.pids)).toEqual(expect.arrayContaining(['stack', 'postgres', 'llm', ...SERVICES]));
  for (const name of SERVICES) expect(commandOf(file.pids[name]!)).toContain(`main.cjs ${name}`);
});

it('npm run demo plays twice in a row, and prints what the README shows', async () => {
  for (let round = 1; round <= 2; round++) await playDemo(place);
});

it("the README's lines with a token and with services' commands run as printed there", async () => {
  const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  const [, block = ''] = /<!-- run .*?-->\s*```sh\n(.*?)```/s.exec(readme) ?? [];
  const outputs: string[] = [];
  for (const line of block.replaceAll('\\\n', ' ').trimEnd().split('\n')) {
    const command = place.shell(line);
    expect([await command.ended, line]).toEqual([0, line]);
    outputs.push(command.output());
  }
  const [chats = '', commands, user = '', applications = ''] = outputs;
  expect(JSON.parse(chats)).toMatchObject({ result: true, data: [{ nama: 'Budi' }, { nama: 'Budi' }] });
  expect(commands).toMatch(/^usage: .*\n\n {2}migrate .*\n {2}routes .*\n {2}seed .*\n.*\n {2}ops /);
  expect(JSON.parse(user)).toMatchObject({ email: 'dewi@toko-nusa.example', store_id: 'S1', role: 'owner' });
  expect(JSON.parse(applications)).toMatchObject({ client_key: file.demo.ads.client_key, is_active: true });
});

it('npm run token gives a token only for the right password, and lists the users', async () => {
  const wrong = place.shell('npm run -s token -- rina@toko-nusa.example --password wrong');
  expect([await wrong.ended, wrong.output()]).toEqual([1, expect.stringContaining('email atau password salah\n')]);
  const unknown = place.shell('npm run -s token -- nobody@toko-nusa.example');
  expect([await unknown.ended, unknown.output()]).toEqual([1, expect.stringContaining('\n  rina@toko-nusa.example\n')]);
});

it('npm run command finds a file relative to where it was typed', async () => {
  const key = 'cp "$DATA_DIR/ads/public.pem" "$DATA_DIR/demo.pem" && cd "$DATA_DIR"';
  const create = `npm --prefix ${workspaceRoot} run -s command -- ads-api applications create --name Kita --key-file demo.pem`;
  const made = place.shell(`${key} && ${create}`);
  expect([await made.ended, made.output()]).toEqual([
    0,
    expect.stringMatching(/^\{"client_key":"[^\n]*"Kita"[^\n]*\}\n$/),
  ]);
});

it('a second stack on the same folder is refused', async () => {
  const second = place.run('start');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`A stack runs already with the data in ${place.folder}`);
});

it('a killed service is restarted with a new entry in stack.json, and delivers what was written meanwhile', async () => {
  const before = file.pids['chat-backend']!;
  process.kill(before, 'SIGKILL');
  await customer().makePhone('Kanari');
  await customer().write(CANARY);
  await until('the restart', () => readStackFile(place.folder)?.pids['chat-backend'] !== before);
  file = readStackFile(place.folder)!;
  await until('readiness', () => answersOk(`${file.services['chat-backend']}/ready`));
  const calls = await agent();
  await until('delivery', () =>
    calls.inbox().then(
      ({ data }) => data.some(({ pesan }) => pesan === CANARY),
      () => false,
    ),
  );
  expect((await calls.inbox()).data.filter(({ pesan }) => pesan === CANARY)).toHaveLength(1);
  expect(stack.output()).toContain('! chat-backend ended (SIGKILL) and is started again');
});

it('a stack ends at Ctrl-C with exit code 0, and leaves no process and no port', async () => {
  signalGroup('SIGINT');
  expect(await stack.ended).toBe(0);
  await expectNothingLeft();
});

it('the logs of a stack have no secrets, passwords and messages', () => {
  const secrets = JSON.parse(readFileSync(join(place.folder, 'secrets.json'), 'utf8')) as Record<string, string>;
  const logs = place.logs();
  expect(logs).toContain('"service":"chat-backend"');
  expect(Object.entries(secrets).flatMap(([name, secret]) => (logs.includes(secret) ? [name] : []))).toEqual([]);
  expect(logs).not.toContain(CANARY);
});

it('a stack finds its data again at the second start', async () => {
  await start();
  expect(stack.output()).toContain('data of last time');
  const { data } = await (await agent()).inbox();
  expect(data.filter(({ pesan }) => pesan === CANARY)).toHaveLength(1);
});

it('a killed stack leaves no service behind, and the next start cleans up the rest', async () => {
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

it('a stack started in the background outlives its script and terminal', async () => {
  const script = place.shell('nohup npm start > "$DATA_DIR/nohup.out" 2>&1 &');
  expect(await script.ended).toBe(0);
  await until('the start', () => readStackFile(place.folder) !== undefined);
  file = readStackFile(place.folder)!;
  try {
    process.kill(-script.child.pid!, 'SIGHUP'); // npm dies of it, nohup or not
    const demo = place.run('demo');
    expect([await demo.ended, readStackFile(place.folder)]).toEqual([0, file]);
  } finally {
    process.kill(file.pids.stack!, 'SIGTERM');
    await until('the end', () => !isAlive(file.pids.stack!));
  }
  await expectNothingLeft();
  expect(readFileSync(join(place.folder, 'nohup.out'), 'utf8')).toContain(
    'Stopping (SIGTERM) ... all processes have ended.',
  );
  const stops = readFileSync(join(place.folder, 'logs/stack.log'), 'utf8').replace(/^\S+Z /gm, '');
  expect(stops).toBe('stopped: Ctrl-C\nstopped: SIGTERM\nstopped: SIGTERM\n');
});
/** Sessions that chat-backend keeps at the server itself only where a pooler has the rest. */
const besidePooler = async ({ folder, ports }: StackPlace): Promise<unknown[]> => {
  const password = loadSecrets(folder)[databaseSecret('chat-backend')];
  const url = `postgres://chat_backend:${password}@127.0.0.1:${ports.postgres}/platform`;
  const database = openDatabase({ url, schema: 'chat_backend', poolSize: 1, logger: silentLogger });
  const names = `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE application_name = 'chat-backend direct'`;
  return database.query(names).finally(() => database.stop?.());
};

const throughPooler = (binary: string): void =>
  it('the demo plays with a PgBouncer between services and database, which leaves nothing behind', async () => {
    const pooled = await newStackPlace();
    const started = pooled.runWith({ PGBOUNCER: binary }, 'start');
    try {
      await started.shows('npm run demo');
      expect(started.output()).toContain(`PgBouncer on port ${pooled.ports.pgbouncer}`);
      expect(await besidePooler(pooled)).toEqual([{ name: 'chat-backend direct' }]);
      await playDemo(pooled);
    } finally {
      process.kill(-started.child.pid!, 'SIGINT');
      await started.ended;
    }
    expect(await takenPorts(pooled.ports, true, true)).toEqual([]);
    pooled.remove();
  });

if (environment.PGBOUNCER) throughPooler(environment.PGBOUNCER);
else process.stderr.write('PGBOUNCER is not set: the demo was played without a pooler only.\n');
