import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { generateSigningKey, publicJwks, tokenSigner } from '@platform/auth';
import type { Report, Started } from './bench.types';
import { KEY_WIDTH } from './inbox-data';
import { OWNER, SHOP } from './shop-data';

/** Stands in for store-auth: serves the public key and signs tokens. */
export interface TokenIssuer extends Started {
  readonly url: string;
  /** A token for one service or several of an agent of the store with these teams, or of its owner, who may read all teams. */
  tokenFor(audience: string | readonly string[], storeId: string, teams: readonly string[] | 'owner'): string;
  /** A token of a service, good for every store. */
  serviceToken(audience: string, service?: string): string;
}

interface Asked {
  readonly email: string;
  readonly challenge: string;
}

const HOUR = 3_600;
/** As store-auth keeps the owner of the shop. */
const ACCOUNT = {
  ...{ user_id: OWNER, email: 'agent@shop.example', nama: 'Agent', phone: null },
  ...{ locale: 'id', timezone: 'Asia/Jakarta', email_verified: true, phone_verified: true, two_factor: false },
};

/** Chat team of the agents. */
export const AGENT_TEAM = '0'.repeat(KEY_WIDTH);
const AGENT = /^agent-(\d+)@/;
/** By which the nth agent of the shop signs in. */
export const agentEmail = (n: number): string => `agent-${n}@shop.example`;
export const agentId = (n: number): string => `a2b7e0de-5f0e-4f6d-8a56-${String(n).padStart(12, '0')}`;

const userTokens =
  (signer: ReturnType<typeof tokenSigner>) =>
  (audience: string | readonly string[], storeId: string, teams: readonly string[] | 'owner', user = OWNER): string =>
    signer.sign(
      'at+jwt',
      {
        aud: [audience].flat(),
        sub: user,
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
  // Whoever signs in is an agent of the shop of the benches, or its owner; the challenge is their address
  const verdict = ({ email }: Asked) => {
    const [, agent] = AGENT.exec(email) ?? [];
    const user = { ...ACCOUNT, email, ...(agent !== undefined && { user_id: agentId(Number(agent)) }) };
    const memberships = [{ store_id: SHOP, role: agent === undefined ? 'owner' : 'agent', status: 'active' }];
    return { valid: true, otp_required: false, challenge: email, user, memberships };
  };
  const grant = ({ challenge }: Asked) => {
    const [, agent] = AGENT.exec(challenge) ?? [];
    const [user, teams] = agent === undefined ? [OWNER, 'owner' as const] : [agentId(Number(agent)), [AGENT_TEAM]];
    return { access_token: tokenFor(['commerce-api', 'chat-backend'], SHOP, teams, user), expires_in: HOUR };
  };
  const answers: Record<string, (asked: Asked) => string> = {
    '/internal/verify-credentials': (asked) => JSON.stringify({ data: verdict(asked) }),
    '/internal/tokens': (asked) => JSON.stringify({ data: grant(asked) }),
    '/.well-known/jwks.json': () => jwks,
    // Whatever is called with it takes any
    '/internal/service-tokens': () => JSON.stringify({ data: { access_token: serviceToken('any'), expires_in: HOUR } }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.statusCode = answer ? 200 : 404;
    response.setHeader('Content-Type', 'application/json');
    void text(request).then((body) => response.end(answer?.(JSON.parse(body || '{}') as Asked) ?? '{}'));
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
