import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSigningKey, publicJwks, tokenSigner } from '@platform/auth';
import type { Report, Started } from './bench.types';
import { OWNER, SHOP } from './shop-data';

/** Stands in for store-auth: serves the public key and signs tokens. */
export interface TokenIssuer extends Started {
  readonly url: string;
  /** A token for one service or several of an agent of the store with these teams, or of its owner, who may read all teams. */
  tokenFor(audience: string | readonly string[], storeId: string, teams: readonly string[] | 'owner'): string;
  /** A token of a service, good for every store. */
  serviceToken(audience: string, service?: string): string;
}

const HOUR = 3_600;
/** As store-auth keeps the owner of the shop. */
const ACCOUNT = {
  ...{ user_id: OWNER, email: 'agent@shop.example', nama: 'Agent', phone: null },
  ...{ locale: 'id', timezone: 'Asia/Jakarta', email_verified: true, phone_verified: true, two_factor: false },
};

const userTokens =
  (signer: ReturnType<typeof tokenSigner>): TokenIssuer['tokenFor'] =>
  (audience, storeId, teams) =>
    signer.sign(
      'at+jwt',
      {
        aud: [audience].flat(),
        sub: OWNER,
        store_id: storeId,
        role: teams === 'owner' ? 'owner' : 'agent',
        teams: teams === 'owner' ? [] : [...teams],
        email: ACCOUNT.email,
        sid: '0199f0de-5f0e-7f6d-8a55-3c1d3d8a0002',
      },
      HOUR,
    ).token;

export const startTokenIssuer = async (): Promise<TokenIssuer> => {
  const key = await generateSigningKey();
  const jwks = JSON.stringify(publicJwks([key]));
  const signer = tokenSigner({ currentKey: () => key });
  const serviceToken = (audience: string, service = 'svc:bench'): string => {
    const subject = { aud: [audience], sub: service, store_id: '', role: 'service' as const, teams: [] };
    return signer.sign('service+jwt', { ...subject, email: '', sid: '' }, HOUR).token;
  };
  const tokenFor = userTokens(signer);
  // Whoever signs in is the owner of the shop of the benches
  const memberships = [{ store_id: SHOP, role: 'owner', status: 'active' }];
  const verdict = { valid: true, otp_required: false, challenge: 'bench', user: ACCOUNT, memberships };
  const grant = () => ({ access_token: tokenFor(['commerce-api', 'chat-backend'], SHOP, 'owner'), expires_in: HOUR });
  const answers: Record<string, () => string> = {
    '/internal/verify-credentials': () => JSON.stringify({ data: verdict }),
    '/internal/tokens': () => JSON.stringify({ data: grant() }),
    '/.well-known/jwks.json': () => jwks,
    // Whatever is called with it takes any
    '/internal/service-tokens': () => JSON.stringify({ data: { access_token: serviceToken('any'), expires_in: HOUR } }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.statusCode = answer ? 200 : 404;
    response.setHeader('Content-Type', 'application/json').end(answer?.() ?? '{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenFor,
    serviceToken,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
};

/** One issuer for all benches of a run. */
export const tokenIssuer = (report: Report): Promise<TokenIssuer> => report.shared('token issuer', startTokenIssuer);
