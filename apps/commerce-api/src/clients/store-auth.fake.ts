import {
  basicCredentials,
  bearerToken,
  localKeys,
  publicJwks,
  tokenSigner,
  tokenTypeOf,
  tokenVerifier,
  type SigningKey,
} from '@platform/auth';
import { tokenTypes, type AuthEvent, type Claims } from '@platform/contracts';
import { storeAuthEnvelope } from '@platform/envelopes';
import { Rejected, TooMany, Unauthenticated } from '@platform/errors';
import { publicGuard, startService, type GuardMap } from '@platform/http';
import { silentLogger, uuidv7, type Clock } from '@platform/runtime';
import {
  emailOf,
  idOf,
  OWNER_ID,
  RECOVERY_CODE,
  RIGHT_CODE,
  viewOf,
  type FakeUser,
  type FakeUsers,
  type Fields,
} from './store-auth.accounts.fake';
import { membershipsOf, type Told } from './store-auth.members.fake';
import {
  bodyOf,
  endpoint,
  json,
  peopleEndpoints,
  read,
  type FakeGuards,
  type PeopleState,
} from './store-auth.people.fake';

export { OWNER_ID } from './store-auth.accounts.fake';

export interface FakeStoreAuth {
  readonly url: string;
  /** Users by e-mail. */
  readonly users: FakeUsers;
  /** Login history of everybody. */
  readonly history: object[];
  /** What it was last told of stores (`S1`) and members (`S1 <user>`). */
  readonly pushed: Map<string, Told>;
  /** Set to keep its answer to a new user back, after the user was made. */
  answering: Promise<void> | undefined;
  /** Contents of the revocation feed. */
  readonly events: AuthEvent[];
  /** Bodies of the password checks it was asked for. */
  readonly checks: unknown[];
  /** Tokens whose login it was asked to end. */
  readonly revoked: string[];
  /** Whose browsers' logins there are, by sid; ended ones are none. */
  readonly browsers: Map<string, string>;
  readonly client: { readonly id: string; readonly secret: string };
  userToken(claims: Partial<Claims>, ttlSeconds?: number): string;
  serviceToken(client: string, storeId?: string, audience?: string): string;
  stop(): Promise<unknown>;
}

const FIRST_TOKEN = 'the-access-token';
const NEXT_TOKEN = 'the-next-token';
const BROWSER = 'browser-';
const GRANTED = [FIRST_TOKEN, NEXT_TOKEN];
const CLIENT = { id: 'commerce-api', secret: 'canary-client-secret' };
/** Siblings with the same secret, so that a real one can be tested with this service. */
const CLIENTS = [CLIENT.id, 'chat-backend'];
const data = (value: object) => ({ status: 'success', message: 'ok', data: value });

type Ring = Pick<FakeStoreAuth, 'userToken' | 'serviceToken'>;

const signing = (clock: Clock, key: SigningKey) => {
  const signer = tokenSigner({ currentKey: () => key, clock });
  const keys = localKeys(() => [key]);
  const verifier = tokenVerifier({
    keys,
    audience: 'store-auth',
    types: [tokenTypes.service],
    logger: silentLogger,
    clock,
  });
  const ring: Ring = {
    userToken: (claims, ttlSeconds = 3600) => {
      const aud = ['store-auth', 'commerce-api', 'chat-backend'];
      const user = {
        aud,
        sub: OWNER_ID,
        store_id: 'S1',
        role: 'owner' as const,
        teams: [],
        email: 'a@b.example',
        sid: uuidv7(),
      };
      return signer.sign(tokenTypes.access, { ...user, ...claims }, ttlSeconds).token;
    },
    serviceToken: (client, store_id = '', aud = 'commerce-api') => {
      const role = client === 'bot-engine' ? ('bot' as const) : ('service' as const);
      const subject = { aud, sub: `svc:${client}`, store_id, role, teams: [], email: '', sid: 'svc' };
      return signer.sign(tokenTypes.service, subject, 600).token;
    },
  };
  return { key, verifier, ring };
};
type Signing = Awaited<ReturnType<typeof signing>>;

const verify = ({ users, pushed }: PeopleState, fields: Fields): object => {
  const { password } = fields;
  const email = emailOf(users, fields);
  const user = users.get(email);
  if (user?.locked) throw new TooMany('locked', { retryAfterSeconds: 120 });
  if (!user || user.password !== password) return data({ valid: false });
  const memberships = membershipsOf(pushed, email, user);
  const second = user.secondFactor ?? false;
  return data({ valid: true, otp_required: second, challenge: email, user: viewOf(email, user), memberships });
};

const ended = () => new Rejected('sesi sudah berakhir', { code: 'session_ended' });
const stranger = () => new Rejected('bukan anggota toko', { code: 'not_a_member' });

const grantOf = (access_token: string, store_id: string): object => {
  const session = { refresh_token: 'canary-refresh-token', sid: 'canary-sid', store_id, role: 'owner' };
  return data({ access_token, token_type: 'Bearer', expires_in: 3600, ...session });
};

/** The challenge of this fake is the user's e-mail. */
const redeem = (parts: Parts, { challenge = '', store_id: asked, kind }: Fields): object => {
  const { users, pushed } = parts;
  const user = users.get(challenge);
  if (!user) throw new Rejected('challenge tidak berlaku', { code: 'challenge_invalid' });
  const active = membershipsOf(pushed, challenge, user).filter(({ status }) => status === 'active');
  const stores = active.map(({ store_id: id }) => id);
  const store_id = asked ?? stores[0];
  if (!store_id || !stores.includes(store_id)) throw stranger();
  if (kind !== 'web') return grantOf(FIRST_TOKEN, store_id);
  return grantOf(ofBrowser(parts, { sub: idOf(challenge, user), store_id, ...claimsOf(user) }), store_id);
};

/** Logins of browsers are tokens that a guard can read, and have successors. */
const ofBrowser = ({ signed, browsers }: Parts, claims: Partial<Claims> & { readonly sub: string }): string => {
  const sid = claims.sid ?? `${BROWSER}${uuidv7()}`;
  browsers.set(sid, claims.sub);
  return signed.ring.userToken({ ...claims, sid });
};

const claimsOf = ({ claims }: FakeUser): Partial<Claims> => (claims ? { ...claims, teams: [...claims.teams] } : {});

/** As they are by now. */
const ofUser = ({ users }: PeopleState, sub: string) => {
  const [, user] = [...users].find(([email, each]) => idOf(email, each) === sub) ?? [];
  return { sub, ...(user && claimsOf(user)) };
};

const browserClaims = (token: string): Claims | undefined => {
  const [, claims = ''] = token.split('.');
  const read = claims && (JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims);
  return read && read.sid.startsWith(BROWSER) ? read : undefined;
};

const isAccessToken = (token: string): boolean => {
  try {
    return tokenTypeOf(token) === tokenTypes.access;
  } catch {
    return false;
  }
};

const isGood = ({ revoked, browsers }: Parts, token: string): boolean => {
  if (revoked.includes(token) || !(GRANTED.includes(token) || isAccessToken(token))) return false;
  const browser = browserClaims(token);
  return !browser || browsers.has(browser.sid);
};

/** The token's login, or all of a user's but one. */
const revoke = ({ revoked, browsers }: Parts, { token, user_id: userId, except_sid: spared }: Fields): object => {
  if (token !== undefined) return data({ revoked: revoked.push(token) });
  const others = [...browsers].filter(([sid, sub]) => sub === userId && sid !== spared);
  for (const [sid] of others) browsers.delete(sid);
  return data({ revoked: others.length });
};

/** Every login of this fake is one in S1, and goes on until it is revoked. */
const grant = (parts: Parts, fields: Fields) => {
  const { grant: kind, token = '' } = fields;
  if (kind === 'challenge') return redeem(parts, fields);
  if (!isGood(parts, token)) throw ended();
  const browser = browserClaims(token);
  const store_id = fields.store_id ?? browser?.store_id ?? 'S1';
  if (browser)
    return grantOf(ofBrowser(parts, { ...ofUser(parts, browser.sub), sid: browser.sid, store_id }), store_id);
  if (store_id !== 'S1') throw stranger();
  return grantOf(NEXT_TOKEN, store_id);
};

const verifySecond = (users: FakeUsers, { challenge = '', otp, recovery_code }: Fields): object => {
  if (!users.get(challenge)?.secondFactor) throw new Rejected('challenge tidak berlaku', { code: 'challenge_invalid' });
  return data({ valid: otp === RIGHT_CODE || recovery_code === RECOVERY_CODE, challenge });
};

type Parts = PeopleState &
  Pick<FakeStoreAuth, 'events' | 'checks' | 'revoked' | 'browsers'> & { readonly signed: Signing };

const endpointsFor = (parts: Parts) => {
  const { users, events, checks, signed } = parts;
  const internal = (path: string, answer: (fields: Fields) => object) =>
    endpoint({ ...json, post: `/internal/${path}`, guard: 'service', handle: (input) => answer(bodyOf(input)) });
  const tokenFor = (client: string, { store_id, audience }: Fields) =>
    data({ access_token: signed.ring.serviceToken(client, store_id, audience), expires_in: 600 });
  const page = () => data({ items: events, cursor: String(events.length) });
  return [
    endpoint({ ...read, get: '/.well-known/jwks.json', guard: 'public', handle: () => publicJwks([signed.key]) }),
    endpoint({
      ...json,
      post: '/internal/service-tokens',
      guard: 'client',
      handle: (input) => tokenFor(input.caller, bodyOf(input)),
    }),
    internal('verify-credentials', (fields) => {
      checks.push(fields);
      return verify(parts, fields);
    }),
    internal('tokens', (fields) => grant(parts, fields)),
    internal('verify-otp', (fields) => verifySecond(users, fields)),
    internal('tokens/revoke', (fields) => revoke(parts, fields)),
    internal('tokens/introspect', ({ token = '' }) => data({ active: isGood(parts, token) })),
    endpoint({ ...read, get: '/internal/events', guard: 'service', handle: page }),
    ...peopleEndpoints(parts),
  ];
};

const guardsFor = ({ verifier }: Signing): GuardMap<FakeGuards> => ({
  public: publicGuard,
  service: {
    label: 'service',
    authenticate: async (request) => {
      await verifier.verify(bearerToken(request) ?? '');
      return undefined;
    },
  },
  client: {
    label: 'client',
    authenticate: (request) => {
      const given = basicCredentials(request);
      if (!given || !CLIENTS.includes(given.id) || given.secret !== CLIENT.secret)
        throw new Unauthenticated({ reason: 'invalid' });
      return given.id;
    },
  },
});

/** The part of store-auth that commerce-api talks to, over HTTP and with real signatures (store-auth design 2.4, 3.1). */
export const startFakeStoreAuth = async (clock: Clock, key: SigningKey): Promise<FakeStoreAuth> => {
  const signed = signing(clock, key);
  const state = {
    users: new Map<string, FakeUser>(),
    history: [] as object[],
    pushed: new Map<string, Told>(),
    answering: undefined as Promise<void> | undefined,
    events: [] as AuthEvent[],
    checks: [] as unknown[],
    revoked: [] as string[],
    browsers: new Map<string, string>(),
  };
  const running = await startService(
    {
      name: 'fake-store-auth',
      description: '',
      endpoints: endpointsFor({ ...state, signed, held: () => fake.answering }),
      guards: { ...guardsFor(signed) },
      envelope: storeAuthEnvelope,
      components: [],
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
  const fake: FakeStoreAuth = {
    url: running.url,
    ...state,
    client: CLIENT,
    ...signed.ring,
    stop: () => running.stop(),
  };
  return fake;
};
