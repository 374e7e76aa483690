import { openTokenAccess, tokenAccessSettings } from '@platform/auth';
import { loadConfig, silentLogger } from '@platform/runtime';
import { caller, runProgramCommand, startProgram, until, useDatabase, useOpened } from '@platform/testing';
import { decodeProtectedHeader } from 'jose';
import { bearer, CLIENTS, OWNER_LOGIN, secretOf, startApp } from '../../app.fixture';
import { migrations, SCHEMA } from '../../data-source';

/** Two processes of store-auth, the operator's command, and the verifier of every other service, in real time. */
const database = useDatabase({ schema: SCHEMA, migrations });
const ended = useOpened();
const main = 'apps/store-auth/src/main.ts';
const env = () => ({
  ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', DATABASE_URL: database.url },
  SERVICE_CLIENTS: JSON.stringify(CLIENTS),
});

beforeAll(async () => {
  const app = await startApp(database.url);
  await app.seed();
  await app.stop();
});

const startStoreAuth = async () => ended(await startProgram({ main, env: env() })).url;

const startVerifier = async (storeAuth: string) => {
  const config = loadConfig(tokenAccessSettings('chat-backend'), {
    STORE_AUTH_URL: storeAuth,
    SERVICE_CLIENT_SECRET: secretOf('chat-backend'),
  });
  const access = openTokenAccess(config, { logger: silentLogger });
  for (const component of access.components) await component.start?.();
  ended({ stop: async () => void (await Promise.all(access.components.map((each) => each.stop?.()))) });
  const accepts = (token: string) => access.verifier.verify(token).then(Boolean, () => false);
  return { accepts, ownToken: () => access.tokens.for('bot-engine') };
};

interface Tokens {
  readonly token: string;
  readonly refresh_token: string;
}
const tokensOf = (answer: { body: unknown }): Tokens => (answer.body as { data: Tokens }).data;
const login = async (url: string): Promise<Tokens> => tokensOf(await caller(url)('/api/login', { body: OWNER_LOGIN }));
const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);
const statusOf = async (url: string, token: string): Promise<unknown> =>
  (
    (await caller(url)('/api/check-validate-token', { method: 'POST', headers: bearer(token) })).body as {
      status: string;
    }
  ).status;
const ops = (...args: string[]) =>
  runProgramCommand({ main, args: ['ops', ...args], env: { ...env(), LOG_LEVEL: 'warn' } });
const revoke = (kid: string) => ops('revoke-key', '--kid', kid);

it('what a revoked key has signed is refused by every service, and what the next signs is taken at once', async () => {
  const [one, other] = [await startStoreAuth(), await startStoreAuth()];
  const verifier = await startVerifier(one);
  const { token, refresh_token } = await login(one);
  const leaked = kidOf(token);
  expect([await verifier.accepts(token), kidOf(await verifier.ownToken())]).toEqual([true, leaked]);

  const { code, output } = await revoke(leaked);
  expect([code, output]).toEqual([0, expect.stringMatching(/^the key [\w-]{43} is out of use, [\w-]{43} signs\n$/)]);
  for (const url of [one, other])
    await until(
      () => statusOf(url, token),
      (status) => status === 'invalid',
    );
  await until(
    () => verifier.accepts(token),
    (taken) => !taken,
  );
  expect(kidOf(await verifier.ownToken())).not.toBe(leaked);

  const refreshed = tokensOf(await caller(other)('/api/refresh-token', { body: { refresh_token } })).token;
  const next = (await login(one)).token;
  expect([kidOf(refreshed), kidOf(next)]).not.toContain(leaked);
  for (const good of [refreshed, next])
    expect([await statusOf(one, good), await statusOf(other, good), await verifier.accepts(good)]).toEqual([
      'valid',
      'valid',
      true,
    ]);
  expect(await (await startVerifier(other)).accepts(token)).toBe(false);
  expect(
    await database.query(`SELECT state, private_enc IS NULL AS gone FROM signing_keys WHERE kid = $1`, [leaked]),
  ).toEqual([{ state: 'retired', gone: true }]);
});

it('the key that was published next signs in the place of a revoked one, and a key that is none is named', async () => {
  const next = /key ([\w-]{43}) is published/.exec((await ops('rotate-keys')).output)?.[1] ?? '';
  const [{ kid }] = (await database.query<{ kid: string }>(`SELECT kid FROM signing_keys WHERE state = 'current'`)) as [
    { kid: string },
  ];
  expect((await revoke(kid)).output).toBe(`the key ${kid} is out of use, ${next} signs\n`);
  expect(await revoke(kid)).toEqual({
    code: 1,
    output: `no key in use is called ${kid}; there are ${next} (current)\n`,
  });
});

it('a key id may begin with a dash, and one that was forgotten is no other option', async () => {
  const none = expect.stringMatching(/^no key in use is called (-Z3e|--_a); there are /) as string;
  for (const kid of ['-Z3e', '--_a']) expect(await revoke(kid)).toEqual({ code: 1, output: none });
  const { code, output } = await ops('revoke-key', '--kid', '--json');
  expect([code, output]).toEqual([2, expect.stringContaining("Option '--kid' argument is ambiguous")]);
});
