import { generateKeyPairSync } from 'node:crypto';
import { runProgramCommand } from '@platform/testing';
import { AGENT, OWNER, OWNER_LOGIN, PASSWORD, startApp, useApp } from '../../app.fixture';
import { settings } from '../../config';

const { app, database } = useApp({ environment: { THROTTLE_EMAIL: '2/15m' } });

interface Outcome {
  readonly code: string | number | null | undefined;
  readonly output: string;
}

/** The command line as an operator uses it: a separate process. */
const ops = (...args: string[]): Promise<Outcome> =>
  runProgramCommand({
    main: 'apps/store-auth/src/main.ts',
    args: ['ops', ...args],
    env: { APP_ENV: 'test', DATABASE_URL: database.url, LOG_LEVEL: 'warn' },
  });

/** The same without the second that a process takes to start. */
const here = async (...args: string[]): Promise<Outcome> => {
  const printed: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0),
  );
  await app.command('ops', args);
  for (const spy of spies) spy.mockRestore();
  const { exitCode: code = 0 } = process;
  process.exitCode = undefined;
  return { code, output: printed.join('') };
};

describe('the ops command line', () => {
  it('prints its usage', async () => {
    const help = await ops('--help');
    expect(help.output).toMatch(/^Usage: store-auth ops <command>[^]*create-user[^]*rotate-keys[^]*unlock/);
    expect([help.code, await here()]).toEqual([0, help]);
    // What takes no value leaves the next argument alone
    expect(await here('rotate-keys', '--json', '-h')).toEqual(help);
  });

  it.each([
    [['drop-everything'], 'unknown command "drop-everything"'],
    [['unlock', 'now'], 'unknown command "unlock now"'],
    [['create-user', '--email', 'x@y.example'], '--name is missing'],
    [['disable-user', '--email', 'x y'], '--email must be an e-mail address'],
    [
      ['create-user', '--email', 'x@y.example', '--name', 'X', '--role', 'king'],
      '--role must be one of owner, admin, supervisor, agent',
    ],
    [['unlock', '--email', 'x@y.example', '--address', '127.0.0.1'], 'give either --email or --address'],
  ])('names what is wrong with the arguments %j', async (args, line) =>
    expect(await here(...args)).toEqual({ code: 2, output: `${line}\nSee: store-auth ops --help\n` }),
  );

  it('creates a user with a password that is printed once, and disables and enables the user', async () => {
    const email = 'new@toko-nusa.example';
    const made = await ops('create-user', '--email', email, '--name', 'New', '--store', 'S1', '--role', 'admin');
    expect(made).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^created new@toko-nusa\.example \([\w-]{36}, admin of S1\)\npassword, shown this once: [\w-]{24}\n$/,
      ),
    });
    const credentials = { email, password: made.output.trim().split(': ')[1] };
    const { token } = await app.login(credentials);
    const states = async () => [
      (await app.post('/api/check-validate-token', { token })).status,
      (await app.post('/api/login', credentials)).status,
    ];
    expect(await states()).toEqual([200, 200]);
    expect(await ops('disable-user', '--email', email)).toEqual({ code: 0, output: `disabled ${email}\n` });
    expect(await states()).toEqual([401, 401]);
    expect(await here('enable-user', '--email', email)).toEqual({ code: 0, output: `enabled ${email}\n` });
    expect(await states()).toEqual([401, 200]);
  });

  it('confirms an address whose owner did not, who may then log in', async () => {
    await database.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [AGENT.user_id]);
    const login = async () => (await app.post('/api/login', { email: AGENT.email, password: PASSWORD })).status;
    expect(await login()).toBe(403);
    expect(await here('confirm-email', '--email', AGENT.email)).toEqual({
      code: 0,
      output: `confirmed ${AGENT.email}\n`,
    });
    expect(await login()).toBe(200);
  });

  it('answers with one JSON line when a script asks for it', async () => {
    const email = 'script@toko-nusa.example';
    const made = await here('create-user', '--email', email, '--name', 'Script', '--store', 'S1', '--json');
    expect(JSON.parse(made.output)).toEqual({
      user_id: expect.stringMatching(/^[\w-]{36}$/),
      email,
      store_id: 'S1',
      role: 'owner',
      password: expect.stringMatching(/^[\w-]{24}$/),
    });
    expect(await here('disable-user', '--email', email, '--json')).toEqual({
      code: 0,
      output: `{"email":"${email}","status":"disabled"}\n`,
    });
    expect((await here('unlock', '--email', email, '--json')).output).toBe(`{"email":"${email}","forgotten":false}\n`);
  });

  it('refuses impossible requests without a stack trace', async () => {
    const refusal = (output: string) => ({ code: 1, output });
    expect(await here('create-user', '--email', OWNER.email, '--name', 'X')).toEqual(
      refusal(`there is a user with the e-mail ${OWNER.email} already\n`),
    );
    expect(await here('disable-user', '--email', 'nobody@toko-nusa.example')).toEqual(
      refusal('there is no user with the e-mail nobody@toko-nusa.example\n'),
    );
  });

  it('unlocks an account or an address', async () => {
    for (let n = 0; n < 2; n++) await app.post('/api/login', { email: OWNER.email, password: 'wrong' });
    expect((await app.post('/api/login', OWNER_LOGIN)).status).toBe(429);
    expect(await ops('unlock', '--email', OWNER.email)).toEqual({ code: 0, output: `unlocked ${OWNER.email}\n` });
    expect((await app.post('/api/login', OWNER_LOGIN)).status).toBe(200);
    expect((await here('unlock', '--address', '127.0.0.1')).output).toBe('unlocked 127.0.0.1\n');
    expect((await here('unlock', '--email', AGENT.email)).output).toBe(`${AGENT.email} had no failed logins\n`);
  });

  it('publishes the next key at once, and the same one on a repeat', async () => {
    const line = /^the next key ([\w-]{43}) is published and signs from \S+Z\n$/;
    const [, first] = line.exec((await ops('rotate-keys')).output) ?? [];
    const [, second] = line.exec((await here('rotate-keys')).output) ?? [];
    expect([first, second]).toEqual([expect.any(String), first]);
    await app.parts.ring.turn();
    const { keys } = (await app.get('/.well-known/jwks.json')).body as { keys: { kid: string }[] };
    expect(keys.map(({ kid }) => kid)).toContain(first);
    expect(app.parts.ring.current().kid).not.toBe(first);
  });
});

it('a signing key that is too small fails the start, and no setting chooses another algorithm', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const before = await database.query<{ kid: string; private_enc: string }>(
    `SELECT kid, private_enc FROM signing_keys WHERE state = 'current'`,
  );
  const kid = before[0]?.kid;
  await database.query(`UPDATE signing_keys SET private_enc = $2 WHERE kid = $1`, [
    kid,
    app.parts.box.seal(pem, `signing_keys ${kid}`),
  ]);
  await expect(startApp(database.url)).rejects.toThrow('a signing key must have at least 2048 bits, this one has 1024');
  await database.query(`UPDATE signing_keys SET private_enc = $2 WHERE kid = $1`, [kid, before[0]?.private_enc]);
  expect(Object.keys(settings).filter((name) => /ALG|HS256|JWT_SECRET/.test(name))).toEqual([]);
});
