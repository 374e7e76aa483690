import { signClaims } from '@platform/auth';
import { tokenTypes, type Claims } from '@platform/contracts';
import { registrationsOf } from '@platform/http';
import { decodeJwt } from 'jose';
import { bearer, brief, OWNER, startApp, useApp } from '../../app.fixture';

const INVALID = { status: 401, body: { status: 'invalid', message: 'token tidak valid' } };
const EXPIRED = { status: 401, body: { status: 'ekspired', message: 'token ekspired' } };
const { app, database } = useApp();

const internalRoutes = () =>
  registrationsOf(app.service).filter(({ path, guard }) => path.startsWith('/internal/') && guard.label === 'service');

/** The one answer that every internal route gives to this token. */
const everywhere = async (headers: Record<string, string>) => {
  const answers = await Promise.all(
    internalRoutes().map(({ endpoint: { method }, path }) =>
      method === 'get' ? app.get(path, headers) : app[method](path, {}, headers),
    ),
  );
  const distinct = new Set(answers.map((answer) => JSON.stringify(brief(answer))));
  return [...distinct].map((text) => JSON.parse(text) as unknown);
};

const forged = async (changes: Partial<Claims>) => {
  const claims = decodeJwt<Claims>(await app.serviceToken('commerce-api'));
  return bearer(signClaims(app.parts.ring.current(), tokenTypes.service, { ...claims, ...changes }));
};

describe('the internal API refuses', () => {
  it('anonymous callers and users, whatever their role', async () => {
    expect(await everywhere({})).toEqual([INVALID]);
    expect(await everywhere(bearer((await app.login()).token))).toEqual([INVALID]);
  });

  it('expired tokens, tokens for another service, and services that are no longer configured', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    expect(await everywhere(await forged({ exp: past }))).toEqual([EXPIRED]);
    expect(await everywhere(bearer(await app.serviceToken('bot-engine', 'chat-backend')))).toEqual([INVALID]);
    expect(await everywhere(await forged({ sub: 'svc:gone' }))).toEqual([INVALID]);
  });

  it('services without the scope, naming the scope', async () => {
    const headers = bearer(await app.serviceToken('bot-engine'));
    const refused: string[] = [];
    for (const { endpoint, path } of internalRoutes()) {
      const { method } = endpoint;
      const answer = method === 'get' ? await app.get(path, headers) : await app[method](path, {}, headers);
      if (answer.status !== 403) continue;
      refused.push(endpoint.guard);
      expect(answer.body).toEqual({
        status: 'error',
        message: 'layanan ini tidak memiliki izin identity',
        code: 'scope_missing',
      });
    }
    expect([new Set(refused).size, refused.length]).toEqual([1, internalRoutes().length - 2]);
  });
});

it('no route mints a token from a bare user id', async () => {
  const headers = bearer(await app.serviceToken('commerce-api'));
  const ids = { user_id: OWNER.user_id, email: 'owner@toko-nusa.example', store_id: 'S1' };
  for (const { endpoint, path } of internalRoutes()) {
    if (endpoint.method !== 'post') continue;
    const filled = path.replace('{id}', OWNER.user_id);
    const requests = [ids, { ...ids, grant: 'session' }, { ...ids, grant: 'refresh' }, { ...ids, grant: 'challenge' }];
    for (const request of requests) {
      const { body } = await app.post(filled, request, headers);
      expect(JSON.stringify(body)).not.toMatch(/access_token|"challenge":"|eyJ/);
    }
  }
});

describe('an internal port', () => {
  it('hides internal routes from the public one', async () => {
    const split = await startApp(database.url, { internalPort: 0 });
    const ask = async (base: string) => (await fetch(`${base}/internal/users?email=x`)).status;
    expect([await ask(split.url), await ask(split.internalUrl)]).toEqual([404, 401]);
    await split.stop();
  });
});
