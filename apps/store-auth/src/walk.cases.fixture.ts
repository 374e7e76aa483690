import { uuidv7 } from '@platform/runtime';
import { Secret, TOTP } from 'otpauth';
import { bearer, OWNER, OWNER_LOGIN, PASSWORD, type RunningApp } from './app.fixture';

/** One valid call; the path includes its query. */
export interface GoodCall {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By `METHOD /path`: prepares what the call needs, and returns the call. commerce-api calls internal routes. */
type WalkCases = Readonly<Record<string, (app: RunningApp) => GoodCall | Promise<GoodCall>>>;

interface NewUser {
  readonly id: string;
  readonly email: string;
}

const IP = '203.0.113.7';
let users = 0;

const internal = async (app: RunningApp) => bearer(await app.serviceToken('commerce-api'));

/** The answer of an internal route to commerce-api. */
const asked = async <Data>(app: RunningApp, path: string, body: object, method: 'post' | 'put' = 'post') => {
  const { status, body: answer } = await app[method](path, body, await internal(app));
  if (status >= 300) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
  return (answer as { data: Data }).data;
};

const newUserBody = () => ({
  user_id: uuidv7(),
  email: `baru${++users}@toko-nusa.example`,
  password: PASSWORD,
  nama: 'Dewi',
  membership: { store_id: 'S1', role: 'agent', teams: ['3'] },
});

/** A user whom no other case knows. */
const newUser = async (app: RunningApp): Promise<NewUser> => {
  const body = newUserBody();
  await asked(app, '/internal/users', body);
  return { id: body.user_id, email: body.email };
};

const challengeOf = async (app: RunningApp, email: string): Promise<string> =>
  (await asked<{ challenge: string }>(app, '/internal/verify-credentials', { email, password: PASSWORD, ip: IP }))
    .challenge;

const beginTwoFactor = async (app: RunningApp, { id }: NewUser): Promise<TOTP> => {
  const begun = await asked<{ secret: string }>(app, `/internal/users/${id}/two-factor`, { password: PASSWORD });
  return new TOTP({ secret: Secret.fromBase32(begun.secret) });
};

/** A user who has to prove more than a password, and one way to do so. */
const cautiousUser = async (app: RunningApp) => {
  const user = await newUser(app);
  const path = `/internal/users/${user.id}/two-factor`;
  const otp = (await beginTwoFactor(app, user)).generate();
  const { recovery_codes: codes } = await asked<{ recovery_codes: string[] }>(app, path, { otp }, 'put');
  return { ...user, recovery_code: codes[0] };
};

const tokenCases: WalkCases = {
  'POST /api/check-validate-token': async (app) => ({ body: { token: (await app.login()).token } }),
  'POST /api/checktoken': async (app) => ({ body: { token: (await app.login()).token } }),
  'POST /api/validate_token': async (app) => ({ body: { token: (await app.login()).token } }),
  'POST /api/refresh-token': async (app) => ({ body: { refresh_token: (await app.login()).refresh_token } }),
  'POST /internal/tokens': async (app) => ({
    body: { grant: 'challenge', challenge: await challengeOf(app, OWNER.email), store_id: 'S1' },
  }),
  'POST /internal/tokens/introspect': async (app) => ({ body: { token: (await app.login()).token } }),
  'POST /internal/tokens/revoke': async (app) => ({ body: { token: (await app.login()).token } }),
};

const stockCases: WalkCases = {
  'POST /api/product/check_stock_products': async (app) => ({
    body: {
      products: [
        { sku: 'KAOS-M', qty: 1 },
        { sku: 'SEPATU-42', qty: 9 },
      ],
    },
    headers: bearer((await app.login()).token),
  }),
};

const identityCases: WalkCases = {
  'POST /internal/verify-credentials': () => ({ body: { ...OWNER_LOGIN, ip: IP } }),
  'POST /internal/verify-otp': async (app) => {
    const { email, recovery_code } = await cautiousUser(app);
    return { body: { challenge: await challengeOf(app, email), recovery_code } };
  },
  'POST /internal/verification-codes': () => ({ body: { email: OWNER.email, purpose: 'reset_password' } }),
  'POST /internal/verification-codes/consume': async (app) => {
    const asking = { user_id: (await newUser(app)).id, purpose: 'verify_email' };
    const { code_id, code } = await asked<Record<string, string>>(app, '/internal/verification-codes', asking);
    return { body: { code_id, code, purpose: asking.purpose } };
  },
};

const userCases: WalkCases = {
  'POST /internal/users': () => ({ body: newUserBody() }),
  'GET /internal/users': () => ({ path: `/internal/users?email=${OWNER.email}` }),
  'PUT /internal/users/{id}/password': async (app) => ({
    path: `/internal/users/${(await newUser(app)).id}/password`,
    body: { password: 'another good password', current_password: PASSWORD },
  }),
  'PUT /internal/users/{id}/two-factor': async (app) => {
    const user = await newUser(app);
    return {
      path: `/internal/users/${user.id}/two-factor`,
      body: { otp: (await beginTwoFactor(app, user)).generate() },
    };
  },
  'DELETE /internal/users/{id}/two-factor': async (app) => {
    const { id, recovery_code } = await cautiousUser(app);
    return { path: `/internal/users/${id}/two-factor`, body: { recovery_code } };
  },
  'PUT /internal/memberships/{store_id}/{user_id}': async (app) => ({
    path: `/internal/memberships/S1/${(await newUser(app)).id}`,
    body: { role: 'supervisor', teams: ['3', '4'], status: 'active', updated_at: '2100-01-01T00:00:00Z' },
  }),
  'DELETE /internal/memberships/{store_id}/{user_id}': async (app) => ({
    path: `/internal/memberships/S1/${(await newUser(app)).id}`,
    body: {},
  }),
};

export const walkCases: WalkCases = { ...tokenCases, ...stockCases, ...identityCases, ...userCases };
