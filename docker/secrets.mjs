// Makes the secrets of a development stack in docker/secrets/, one file per service, random, once: what exists is kept.
//   node docker/secrets.mjs            for compose.yaml
//   node docker/secrets.mjs <database host> [folder]     the same for another place, e.g. for `kubectl create secret --from-env-file`
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const host = process.argv[2] ?? 'postgres';
const folder = process.argv[3] ?? fileURLToPath(new URL('secrets/', import.meta.url));
const services = ['store-auth', 'chat-backend', 'bot-engine', 'wa-gateway', 'commerce-api', 'ads-api'];

if (existsSync(join(folder, 'postgres.env'))) {
  console.log(
    `${folder} exists and is kept. Delete it for new secrets (and the database volume with it: it keeps the old passwords).`,
  );
  process.exit(0);
}

const secret = () => randomBytes(32).toString('base64url');
const key = () => randomBytes(32).toString('base64');
/** A scalar of P-256, as push services of browsers know a sender by. */
const curveKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d;
/** An RSA key, in base64 of its PEM: an env file has a line for each. */
const signingKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
};
const creditKey = signingKey();
/** The public half, likewise. */
const publicHalf = (line) =>
  Buffer.from(createPublicKey(Buffer.from(line, 'base64')).export({ type: 'spki', format: 'pem' })).toString('base64');
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const schema = (service) => service.replaceAll('-', '_');
const roles = Object.fromEntries(services.map((service) => [service, secret()]));
const clients = { 'commerce-api': secret(), 'chat-backend': secret(), 'bot-engine': secret(), 'ads-client': secret() };
const shared = { engineBot: secret(), internal: secret(), callback: secret(), gateway: secret() };

/** Who asks store-auth for service tokens, for which audience, with which rights (design of store-auth, section 6). */
const grants = JSON.parse(readFileSync(new URL('../tools/stack/src/service-grants.json', import.meta.url), 'utf8'));
const client = (id) => ({ SERVICE_CLIENT_ID: id, SERVICE_CLIENT_SECRET: clients[id] });
const serviceClients = Object.entries(grants).map(([id, grant]) => ({
  id,
  secrets_sha256: [sha256(clients[id])],
  ...grant,
}));

const own = {
  'store-auth': { SIGNING_KEY_SECRET: key(), SERVICE_CLIENTS: JSON.stringify(serviceClients), SEED_PASSWORD: secret() },
  'chat-backend': {
    ...client('chat-backend'),
    INTERNAL_TOKEN: shared.internal,
    CALLBACK_SECRET: shared.callback,
    GATEWAY_API_KEY: shared.gateway,
    MEDIA_SECRET: secret(),
  },
  'bot-engine': { ...client('bot-engine'), ENGINE_BOT_SECRET: shared.engineBot, LLM_API_KEY: 'sandbox' },
  'wa-gateway': {
    WA_AUTH_KEY: key(),
    WEBHOOK_SECRET: shared.callback,
    GATEWAY_API_KEY: shared.gateway,
    REALTIME_TOKEN: secret(),
  },
  'commerce-api': {
    ...client('commerce-api'),
    ENGINE_BOT_SECRET: shared.engineBot,
    INTERNAL_TOKEN: shared.internal,
    SHOP_SECRETS_KEY: key(),
    PAY_LINK_SECRET: secret(),
    WALLET_PIN_PEPPER: secret(),
    COMMERCE_CREDIT_KEY: creditKey,
    GATEWAY_API_KEY: shared.gateway,
    INGRESS_SECRET: secret(),
    // Both or none: members are told in their browsers
    VAPID_PRIVATE_KEY: curveKey(),
    VAPID_SUBJECT: 'mailto:push@toko.example',
    SHIP_A_KEY: 'sandbox-key',
    SMTP_URL: 'smtp://host.docker.internal:3025',
  },
  'ads-api': {
    ADS_BEARER_SECRET: secret(),
    ADS_TOKEN_KEYS: key(),
    PAYMENT_ISSUERS: `commerce-api=${publicHalf(creditKey)}`,
    // The app that the Graph sandbox knows; a real one is registered with the ad network
    SOCIAL_APP_ID: '400550000000001',
    SOCIAL_APP_SECRET: 'sandbox-app-secret',
  },
};

const lines = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
mkdirSync(folder, { recursive: true, mode: 0o700 });
const write = (name, values) => writeFileSync(join(folder, `${name}.env`), lines(values), { mode: 0o600 });
for (const service of services)
  write(service, {
    DATABASE_URL: `postgres://${schema(service)}:${roles[service]}@${host}:5432/platform`,
    REDIS_URL: 'redis://redis:6379',
    ...own[service],
  });
write('postgres', {
  POSTGRES_USER: 'postgres',
  POSTGRES_DB: 'platform',
  POSTGRES_PASSWORD: secret(),
  SERVICE_ROLES: services.map((service) => `${schema(service)}:${roles[service]}`).join(' '),
});
console.log(`Secrets for ${services.length} services and the database are in ${folder}`);
