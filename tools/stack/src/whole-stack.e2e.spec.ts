// End to end and slow: real `npm start` and `npm run demo` processes, on ports and in a folder of their own.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase } from '@platform/data';
import { adsAccounts, adsUsers } from '@platform/sandbox-graph';
import { environment, silentLogger } from '@platform/runtime';
import { connectPerson, signInAds } from './ads-client';
import { adsConversation, creditByHand, likeness } from './ads-conversation.fixture';
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

/** The customer of a demo waits for each answer: only the last stack waits for further messages as long as by default. */
const BOT_WINDOW_MS = '200';

let place: StackPlace;
let stack: Command;
let file: StackFile;

const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  stack = place.runWith({ BOT_WINDOW_MS, ...settings }, 'start');
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
    .replace(/stok \d+/g, 'stok N')
    .replace(/INV-\d{6}-\w{6}/g, 'INV-YYMMDD-XXXXXX')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/pay\/\S+ sebelum \S+/g, '<link> sebelum <time>')
    .trimEnd();

const playDemo = async (where: StackPlace): Promise<void> => {
  const readme = readFileSync(join(workspaceRoot, 'README.md'), 'utf8');
  const [, shown = ''] = /<!-- demo:begin .*?-->\s*```\n(.*?)```/s.exec(readme) ?? [];
  const demo = where.run('demo');
  expect([await demo.ended, withoutChance(demo.output())]).toEqual([0, withoutChance(shown)]);
};

/** Sessions that chat-backend keeps at the server itself only where a pooler has the rest. */
const besidePooler = async ({ folder, ports }: StackPlace): Promise<unknown[]> => {
  const password = loadSecrets(folder)[databaseSecret('chat-backend')];
  const url = `postgres://chat_backend:${password}@127.0.0.1:${ports.postgres}/platform`;
  const database = openDatabase({ url, schema: 'chat_backend', poolSize: 1, logger: silentLogger });
  const names = `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE application_name = 'chat-backend direct'`;
  return database.query(names).finally(() => database.stop?.());
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
  if (stack.child.exitCode === null && stack.child.signalCode === null) signalGroup('SIGTERM');
  await stack.ended;
  place.remove();
});

it('npm start is ready with all six services, and stack.json names addresses and live processes', async () => {
  for (const name of SERVICES) expect(await answersOk(`${file.services[name]}/ready`)).toBe(true);
  expect(Object.keys(file.pids)).toEqual(expect.arrayContaining(['stack', 'postgres', 'llm', 'graph', ...SERVICES]));
  for (const name of SERVICES) expect(commandOf(file.pids[name]!)).toContain(`main.cjs ${name}`);
  const id = expect.stringMatching(/^[\w-]+$/) as string;
  expect(file.demo.commerce).toEqual({ slug: 'toko-nusa', warehouse_id: id, area_id: id, bank_account_id: id });
});

it('npm run demo plays twice in a row, and prints what the README shows', async () => {
  for (let round = 1; round <= 2; round++) await playDemo(place);
});

it('npm run demo -- shop says where its receipt lies, and that is a PDF', async () => {
  const demo = place.run('demo', 'shop');
  expect([await demo.ended, demo.output()]).toEqual([0, expect.stringContaining('\nDone: registered, sold by a link')]);
  const [, file = ''] = /it lies in (\S+\.pdf)/.exec(demo.output()) ?? [];
  expect(readFileSync(resolve(workspaceRoot, file)).subarray(0, 5).toString()).toBe('%PDF-');
});

it('npm run demo -- ads plays twice in a row: the money is out again', async () => {
  for (let round = 1; round <= 2; round++) {
    const demo = place.run('demo', 'ads');
    const ended = await demo.ended;
    expect([ended, demo.output()]).toEqual([0, expect.stringContaining('answered again, counted once')]);
    expect(demo.output()).toContain('\nDone: topped up once');
  }
});

it('npm run demo tells which demos there are, and so does an unknown one', async () => {
  const [help, unknown] = [place.run('demo', '--help'), place.run('demo', 'shoop')];
  expect([await help.ended, help.output()]).toEqual([0, expect.stringMatching(/^usage: .*\n\n {2}chat .*\n {2}shop /)]);
  expect([await unknown.ended, unknown.output()]).toEqual([2, `There is no demo "shoop".\n\n${help.output()}`]);
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
  const [chats = '', commands, user = '', operators, applications = ''] = outputs;
  expect(JSON.parse(chats)).toMatchObject({ result: true, data: [{ nama: 'Budi' }, { nama: 'Budi' }] });
  expect(commands).toMatch(/^usage: .*\n\n {2}migrate .*\n {2}routes .*\n {2}seed .*\n.*\n {2}ops /);
  expect(JSON.parse(user)).toMatchObject({ email: 'dewi@toko-nusa.example', store_id: 'S1', role: 'owner' });
  expect(operators).toMatch(/^Usage: [^]*\n {2}kyc approve [^]*\n {2}payment refund [^]*\n {2}withdrawal approve /);
  expect(JSON.parse(applications)).toMatchObject({ client_key: file.demo.ads.client_key, is_active: true });
});

it("the README's conversation with ads-api, by curl and OpenSSL alone, tops an account up as printed there", async () => {
  const { script, printed } = adsConversation(place.folder);
  const shell = place.shell(`exec 2>/dev/null; ${script}`);
  expect(await shell.ended).toBe(0);
  const lines = shell.output().trimEnd().split('\n');
  expect([lines.length, printed.length]).toEqual([4, 4]);
  printed.forEach((shown, at) => expect(lines[at]).toMatch(likeness(shown)));
});

it('a payment credit signed with the key that stack.json names tops an account up once', async () => {
  const { ads } = file.demo;
  const command = async (line: string) => {
    const run = place.shell(`npm run -s command -- ads-api applications ${line}`);
    expect([await run.ended, line]).toEqual([0, line]);
    return JSON.parse(run.output()) as { client_key: string };
  };
  const { client_key: key } = await command(`create --name Bayar --key-file ${ads.public_key_file}`);
  await command(`set-policy ${key} verified_payment --issuer commerce-api`);
  const client = await signInAds(file.services['ads-api']!, key, readFileSync(ads.private_key_file, 'utf8'));
  await connectPerson(client, adsUsers.sari.id);
  const paid = { account_id: adsAccounts.sari, amount: 50_000 };
  const credit = await creditByHand(file.demo, { ...paid, application_id: key, currency: 'IDR' });
  const topUp = async (headers: Record<string, string>) => {
    const { status, body } = await client.call('account/topup', { body: paid, headers });
    return [status, body.data?.new_spend_cap ?? body.message];
  };
  expect(await topUp({})).toEqual([400, 'Payment is not verified']);
  expect(await topUp({ 'x-payment-reference': credit })).toEqual([200, 2_050_000]);
  expect(await topUp({ 'x-payment-reference': credit })).toEqual([400, 'Payment already used']);
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
  // The application's id, which proves nothing without its key
  const { 'ads client key': id, ...others } = secrets;
  expect(logs).toContain(id);
  expect(Object.entries(others).flatMap(([name, secret]) => (logs.includes(secret) ? [name] : []))).toEqual([]);
  expect(logs).not.toContain(CANARY);
});

describe('the second start on the same folder, with a PgBouncer between services and database where there is one,', () => {
  const { PGBOUNCER: pooler } = environment;
  if (!pooler) process.stderr.write('PGBOUNCER is not set: the demo was played without a pooler only.\n');

  it('finds its data again', async () => {
    await start(pooler ? { PGBOUNCER: pooler } : {});
    expect(stack.output()).toContain('data of last time');
    const { data } = await (await agent()).inbox();
    expect(data.filter(({ pesan }) => pesan === CANARY)).toHaveLength(1);
  });

  if (pooler)
    it('plays the demo', async () => {
      expect(stack.output()).toContain(`PgBouncer on port ${place.ports.pgbouncer}`);
      expect(await besidePooler(place)).toEqual([{ name: 'chat-backend direct' }]);
      await playDemo(place);
    });

  it('leaves no service behind when it is killed', async () => {
    signalGroup('SIGKILL');
    await stack.ended;
    const { postgres, redis, pgbouncer, ...others } = file.pids;
    await until('the end of the services', () => Object.values(others).every((pid) => !isAlive(pid)));
    expect([postgres, pgbouncer].filter((pid) => pid !== undefined && !isAlive(pid))).toEqual([]);
  });
});

it('a stack started in the background after one was killed cleans up the rest, and outlives its script and terminal', async () => {
  const { postgres, redis, pgbouncer } = file.pids;
  const script = place.shell('nohup npm start > "$DATA_DIR/nohup.out" 2>&1 &');
  expect(await script.ended).toBe(0);
  await until('the start', () => (readStackFile(place.folder)?.pids ?? file.pids).stack !== file.pids.stack);
  file = readStackFile(place.folder)!;
  try {
    expect([postgres, redis, pgbouncer].filter((pid) => pid !== undefined && isAlive(pid))).toEqual([]);
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
  expect(stops).toBe('stopped: Ctrl-C\nstopped: SIGTERM\n');
});
