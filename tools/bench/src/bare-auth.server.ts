// The ceilings of store-auth's benches: a bare Express 5 route that does only the crypto of a login, and one that echoes.
import { createServer } from 'node:http';
import { hash, verify } from '@node-rs/argon2';
import { generateSigningKey, tokenSigner } from '@platform/auth';
import { createExpressServer } from '@platform/http';
import express, { type Express } from 'express';

const [port = '', cure = 'plain'] = process.argv.slice(2);

/** store-auth's defaults. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PASSWORD = 'correct horse battery';

const loginRoute = async (app: Express): Promise<void> => {
  const [stored, key] = await Promise.all([hash(PASSWORD, COST), generateSigningKey()]);
  const signer = tokenSigner({ currentKey: () => key });
  app.post('/api/login', express.json(), async (request, response) => {
    const { email, password } = request.body as { email: string; password: string };
    if (!(await verify(stored, password))) return void response.status(401).json({ status: 'error' });
    const audience = ['store-auth', 'chat-backend', 'bot-engine', 'commerce-api'];
    const person = { sub: '0190b5a0-0000-7000-8000-000000000001', store_id: 'S1', role: 'agent' as const, email };
    const { token } = signer.sign('at+jwt', { ...person, aud: audience, teams: ['3'], sid: 'x'.repeat(43) }, 3600);
    response.json({ status: 'success', data: { email, token } });
  });
};

const main = async (): Promise<void> => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/ready', (_, response) => void response.json({ ready: true }));
  app.post('/api/check-validate-token', express.json(), (request, response) => {
    response.json({ status: 'valid', data: request.body as object });
  });
  await loginRoute(app);
  const server = cure === 'cured' ? createExpressServer(app) : createServer(app);
  server.listen(Number(port), '127.0.0.1');
};

void main();
process.on('SIGTERM', () => process.exit(0));
