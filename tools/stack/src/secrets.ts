import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from './ports';
import { writePrivately } from './workspace';

const token = () => randomBytes(32).toString('base64url');
const key = () => randomBytes(32).toString('base64');
/** An RSA key, in base64 of its PEM: one line. */
const pemKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
};
/** A scalar of P-256: what push services of browsers know a sender by. */
const curveKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d ?? '';
/** Short enough to be typed by hand: 72 bits. */
const password = () => randomBytes(9).toString('base64url');
/** As the payment providers write theirs, so that somebody who finds one knows where it belongs. */
const beginning = (start: string) => () => `${start}${randomBytes(12).toString('hex')}`;

/** Every secret of a development stack and how it is generated. None has a default anywhere. */
const RECIPES = {
  'database store-auth': token,
  'database chat-backend': token,
  'database bot-engine': token,
  'database wa-gateway': token,
  'database commerce-api': token,
  'database ads-api': token,
  'client commerce-api': token,
  'client chat-backend': token,
  'client bot-engine': token,
  'client ads-client': token,
  'signing key': key,
  callback: token,
  'gateway auth key': key,
  'gateway api key': token,
  media: token,
  'shop secrets key': key,
  'pay link': token,
  'engine bot': token,
  ingress: token,
  'vapid key': curveKey,
  'ship_a key': token,
  'wallet pin pepper': token,
  'commerce credit key': pemKey,
  'pay_a client id': beginning('MCH-'),
  'pay_a secret': beginning('SK-'),
  'pay_b key': beginning('xnd_development_'),
  'pay_b callback token': token,
  'pay_c merchant': beginning('DS'),
  'pay_c key': token,
  'ads bearer': token,
  'ads token keys': key,
  'ads client key': randomUUID as () => string,
  'owner password': password,
  'agent password': password,
} as const;
export type SecretName = keyof typeof RECIPES;
export type Secrets = Readonly<Record<SecretName, string>>;

export const databaseSecret = (service: ServiceName): SecretName => `database ${service}`;

const madeFrom = (kept: Partial<Secrets>): Secrets =>
  Object.fromEntries(
    Object.entries(RECIPES).map(([name, make]) => [name, kept[name as SecretName] ?? make()]),
  ) as Secrets;

/** Secrets for one use: nothing is stored. */
export const passingSecrets = (): Secrets => madeFrom({});

/** The secrets of a data folder: generated once and kept, readable by their owner only. */
export const loadSecrets = (folder: string): Secrets => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'secrets.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>) : {};
  const secrets = madeFrom(kept);
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
};

export interface KeyFiles {
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
  /** With which commerce-api signs payment credits, so that one can be made by hand. */
  readonly creditKeyFile: string;
}

const pemOfLine = (line: string): string => Buffer.from(line, 'base64').toString();

/** PAYMENT_ISSUERS of ads-api: it accepts the payment credits that commerce-api signs. */
export const paymentIssuers = (secrets: Secrets): string => {
  const issuer = createPublicKey(createPrivateKey(pemOfLine(secrets['commerce credit key'])));
  return `commerce-api=${Buffer.from(issuer.export({ type: 'spki', format: 'pem' })).toString('base64')}`;
};

/** The key pairs of ads-api's clients: the demo application signs its handshake with one, commerce-api its credits with the other. */
export const loadAdsKeys = (folder: string): KeyFiles => {
  mkdirSync(join(folder, 'ads'), { recursive: true, mode: 0o700 });
  const privateKeyFile = join(folder, 'ads/private.pem');
  const publicKeyFile = join(folder, 'ads/public.pem');
  if (!existsSync(privateKeyFile) || !existsSync(publicKeyFile)) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writePrivately(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }).toString());
    writePrivately(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  }
  const creditKey = pemOfLine(loadSecrets(folder)['commerce credit key']);
  const creditKeyFile = join(folder, 'ads/credit-private.pem');
  if (!existsSync(creditKeyFile) || readFileSync(creditKeyFile, 'utf8') !== creditKey)
    writePrivately(creditKeyFile, creditKey);
  return { privateKeyFile, publicKeyFile, creditKeyFile };
};
