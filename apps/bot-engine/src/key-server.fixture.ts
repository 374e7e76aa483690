import { publicJwks, tokenSigner } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { startHttpServer, testSigningKey } from '@platform/testing';

/** The part of store-auth that a process needs, its public keys, and a token that they verify. */
export const startKeyServer = async () => {
  const key = await testSigningKey();
  const server = await startHttpServer((_, response) => response.end(JSON.stringify(publicJwks([key]))));
  const subject = { aud: 'bot-engine', sub: 'svc:chat-backend', store_id: '', role: 'service' as const };
  const { token } = tokenSigner({ currentKey: () => key }).sign(
    'service+jwt',
    { ...subject, teams: [], email: '', sid: 'svc', jti: uuidv7() },
    600,
  );
  return { ...server, token };
};
