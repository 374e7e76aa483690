import { publicJwks, tokenSigner } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { startHttpServer, testSigningKey } from '@platform/testing';

const SECONDS = 600;

/** The part of store-auth that a process needs: its public keys, a token that they verify, and tokens of its own for its calls. */
export const startKeyServer = async () => {
  const key = await testSigningKey();
  const subject = { aud: 'bot-engine', sub: 'svc:chat-backend', store_id: '', role: 'service' as const };
  const { token } = tokenSigner({ currentKey: () => key }).sign(
    'service+jwt',
    { ...subject, teams: [], email: '', sid: 'svc', jti: uuidv7() },
    SECONDS,
  );
  const issued = { data: { access_token: token, expires_in: SECONDS } };
  const server = await startHttpServer((request, response) =>
    response.end(JSON.stringify(request.url === '/internal/service-tokens' ? issued : publicJwks([key]))),
  );
  return { ...server, token };
};
