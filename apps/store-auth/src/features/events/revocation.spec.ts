import {
  revocationList,
  serviceTokens,
  sidHashOf,
  storeAuthFeed,
  tokenVerifier,
  type EventSubscription,
} from '@platform/auth';
import { AUTH_EVENTS_CHANNEL } from '@platform/contracts';
import { openCache } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { caller, startProgram, until, useDatabase, useOpened } from '@platform/testing';
import { decodeJwt } from 'jose';
import { CLIENTS, OWNER_LOGIN, secretOf, startApp } from '../../app.fixture';
import { migrations, SCHEMA } from '../../data-source';

/** store-auth as a separate process, and the verifier that every other service uses, in real time. */
const database = useDatabase({ schema: SCHEMA, migrations });
const ended = useOpened();

beforeAll(async () => {
  const app = await startApp(database.url);
  await app.seed();
  await app.stop();
});

const startStoreAuth = async (more: Record<string, string> = {}) => {
  const env = {
    APP_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    SERVICE_CLIENTS: JSON.stringify(CLIENTS),
    ...more,
  };
  return ended(await startProgram({ main: 'apps/store-auth/src/main.ts', env }));
};

/** A verifier, and the number of its requests to the feed. */
const startVerifier = async (
  storeAuthUrl: string,
  { subscribe, intervalSeconds }: { subscribe?: EventSubscription; intervalSeconds?: number } = {},
) => {
  const clientSecret = secretOf('bot-engine');
  const tokens = ended(serviceTokens({ storeAuthUrl, clientId: 'bot-engine', clientSecret }));
  const feed = storeAuthFeed(storeAuthUrl, tokens);
  const since = jest.spyOn(feed, 'since');
  const revocations = ended(revocationList({ feed, subscribe, intervalSeconds, logger: silentLogger }));
  await revocations.start?.();
  const jwksUrl = `${storeAuthUrl}/.well-known/jwks.json`;
  const verifier = tokenVerifier({ jwksUrl, audience: 'bot-engine', revocations, logger: silentLogger });
  return { verify: verifier.verify.bind(verifier), reads: () => since.mock.calls.length };
};

const accepts = (verifier: { verify(token: string): Promise<unknown> }, token: string): Promise<boolean> =>
  verifier.verify(token).then(
    () => true,
    () => false,
  );

const login = async (url: string): Promise<string> =>
  ((await caller(url)('/api/login', { body: OWNER_LOGIN })).body as { data: { token: string } }).data.token;

/** Requests of a reading that is under way and of the next one, which has the news: each asks on until a page is empty. */
const TWO_READINGS = 4;

/** Requests to the feed from the answer of the logout until the verifier refused the token. */
const readsUntilRefused = async (url: string, token: string, verifier: Awaited<ReturnType<typeof startVerifier>>) => {
  await caller(url)('/api/logout', { method: 'POST', token, body: {} });
  const before = verifier.reads();
  await until(
    () => accepts(verifier, token),
    (accepted) => !accepted,
  );
  return verifier.reads() - before;
};

describe('a revocation', () => {
  it('reaches a verifier with the next reading of the feed; verified tokens stay valid while store-auth is down', async () => {
    const { url, stop } = await startStoreAuth();
    const verifier = await startVerifier(url);
    const [token, kept] = [await login(url), await login(url)];
    expect([await accepts(verifier, token), await accepts(verifier, kept)]).toEqual([true, true]);
    expect(await readsUntilRefused(url, token, verifier)).toBeLessThanOrEqual(TWO_READINGS);
    await stop('SIGKILL');
    expect([await accepts(verifier, token), await accepts(verifier, kept)]).toEqual([false, true]);
  });

  it('is known to a verifier that starts later', async () => {
    const { url } = await startStoreAuth();
    const token = await login(url);
    await caller(url)('/api/logout-all', { method: 'POST', token, body: {} });
    expect(await accepts(await startVerifier(url), token)).toBe(false);
  });

  const { REDIS_URL } = environment;
  if (REDIS_URL) {
    /** Of what is said about these logins: others publish on the same Redis, and what they say of members has the feed read. */
    const subscription = async (logins: readonly string[]): Promise<EventSubscription> => {
      const cache = ended(openCache({ url: REDIS_URL, logger: silentLogger }));
      await cache.start?.();
      const isOurs = (message: string) =>
        logins.some((token) => message.includes(sidHashOf(String(decodeJwt(token).sid))));
      return (handler) => cache.subscribe(AUTH_EVENTS_CHANNEL, (message) => isOurs(message) && handler(message));
    };

    it('reaches a verifier by Redis without another reading of the feed', async () => {
      const { url } = await startStoreAuth({ REDIS_URL });
      const token = await login(url);
      const verifier = await startVerifier(url, { subscribe: await subscription([token]), intervalSeconds: 3_600 });
      expect(await accepts(verifier, token)).toBe(true);
      expect(await readsUntilRefused(url, token, verifier)).toBe(0);
    });

    it('reaches a verifier by the feed when Redis delivers nothing', async () => {
      const { url } = await startStoreAuth();
      const token = await login(url);
      const verifier = await startVerifier(url, { subscribe: await subscription([token]) });
      expect(await accepts(verifier, token)).toBe(true);
      expect(await readsUntilRefused(url, token, verifier)).toBeLessThanOrEqual(TWO_READINGS);
    });
  } else process.stderr.write('REDIS_URL is not set: revocations were tested by the feed only.\n');
});
