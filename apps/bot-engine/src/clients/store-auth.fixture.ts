import { publicJwks, tokenSigner } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { jsonOf, startHttpServer, testSigningKey } from '@platform/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';

const OWNER = '0199f7a0-0000-7000-8000-0000000000aa';

/** The client of the Basic credentials; any secret is right. */
const clientOf = ({ headers: { authorization = '' } }: IncomingMessage): string =>
  Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':')[0] ?? '';

/** The parts of store-auth that services need of it: public keys, and tokens for services that name themselves. */
export const startStoreAuth = async () => {
  const key = await testSigningKey();
  const signer = tokenSigner({ currentKey: () => key });
  const who = { teams: [], email: '', sid: 'svc', jti: uuidv7() };
  const serviceToken = (client: string, aud: string, store_id = ''): string => {
    const role = client === 'bot-engine' ? ('bot' as const) : ('service' as const);
    return signer.sign('service+jwt', { ...who, aud, sub: `svc:${client}`, store_id, role, jti: uuidv7() }, 600).token;
  };
  const grant = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { audience, store_id } = (await jsonOf(request)) as { audience: string; store_id?: string };
    const access_token = serviceToken(clientOf(request), audience, store_id);
    response.end(JSON.stringify({ status: 'success', data: { access_token, expires_in: 600 } }));
  };
  const server = await startHttpServer((request, response) => {
    if (request.url === '/internal/service-tokens') return void grant(request, response);
    if (request.url?.endsWith('jwks.json')) return void response.end(JSON.stringify(publicJwks([key])));
    response.writeHead(404).end('{}');
  });
  const ownerToken = (store_id: string, sub = OWNER): string => {
    const owner = { aud: ['commerce-api', 'bot-engine'], sub, store_id, role: 'owner' as const };
    return signer.sign('at+jwt', { ...who, ...owner, jti: uuidv7() }, 3_600).token;
  };
  return { ...server, serviceToken, ownerToken, ownerId: OWNER };
};

export type StoreAuth = Awaited<ReturnType<typeof startStoreAuth>>;
