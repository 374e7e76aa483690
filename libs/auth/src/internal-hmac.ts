import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Unauthenticated } from '@platform/errors';
import { systemClock, type Clock } from '@platform/runtime';
import type { RequestView } from './guards';

/** Milliseconds that a signed call may be old, or ahead. */
export const INTERNAL_WINDOW_MS = 5 * 60_000;

export const internalHeaderNames = {
  service: 'X-Service',
  timestamp: 'X-Timestamp',
  signature: 'X-Signature',
} as const;

export interface InternalCall {
  readonly method: string;
  /** As the server sees it, with `/api` and with the query. */
  readonly path: string;
  readonly body?: Buffer | string;
}

const signature = (secret: string, { method, path, body = '' }: InternalCall, timestamp: string): Buffer => {
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', secret).update(`${method.toUpperCase()}\n${path}\n${timestamp}\n${digest}`).digest();
};

/**
 * Headers of a signed call between services without a token (bot-engine design 2.8, commerce-api design 5.7): hex
 * HMAC-SHA256(secret, METHOD \n path?query \n timestamp \n hex(sha256(raw body))). Sign every attempt afresh: the receiver
 * refuses a signature that it has seen.
 */
export const signInternalCall = (
  { service, secret, clock = systemClock }: { service: string; secret: string; clock?: Clock },
  call: InternalCall,
): Record<string, string> => {
  const timestamp = String(clock.now().getTime());
  return {
    [internalHeaderNames.service]: service,
    [internalHeaderNames.timestamp]: timestamp,
    [internalHeaderNames.signature]: signature(secret, call, timestamp).toString('hex'),
  };
};

/** Remembers signatures for the window, across replicas; true the first time a key is seen. The `cache` port fits. */
export type FirstUse = (key: string, ttlSeconds: number) => Promise<boolean>;

export interface InternalVerifierOptions {
  /** Secret by service name; a comma list holds the new one beside the old one during a rotation. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly firstUse: FirstUse;
  readonly clock?: Clock;
}

export type InternalVerifier = (request: RequestView, call: InternalCall) => Promise<{ readonly service: string }>;

const header = ({ headers }: RequestView, name: string): string => {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : '';
};

const secretsOf = (secrets: Readonly<Record<string, string>>, service: string): string[] =>
  (Object.hasOwn(secrets, service) ? (secrets[service] ?? '') : '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);

/**
 * Checks such a call: known service, at most five minutes off, valid signature (constant time), not seen before. Rejects
 * with `Unauthenticated`; the cause says which check failed.
 */
export const internalVerifier =
  ({ secrets, firstUse, clock = systemClock }: InternalVerifierOptions): InternalVerifier =>
  async (request, call) => {
    const [service, timestamp, given] = [
      internalHeaderNames.service,
      internalHeaderNames.timestamp,
      internalHeaderNames.signature,
    ].map((name) => header(request, name)) as [string, string, string];
    if (!service || !given) throw new Unauthenticated({ reason: 'missing' });
    const refuse = (why: string) => new Unauthenticated({ reason: 'invalid', cause: new Error(why) });
    if (!/^\d{1,15}$/.test(timestamp)) throw refuse('the timestamp is not in epoch milliseconds');
    if (Math.abs(clock.now().getTime() - Number(timestamp)) > INTERNAL_WINDOW_MS)
      throw refuse('the timestamp is more than five minutes off');
    if (!/^[0-9a-f]{64}$/.test(given)) throw refuse('the signature is not 64 hexadecimal digits');
    const right = secretsOf(secrets, service).filter((secret) =>
      timingSafeEqual(signature(secret, call, timestamp), Buffer.from(given, 'hex')),
    );
    if (right.length === 0) throw refuse('the service is unknown or the signature is wrong');
    if (!(await firstUse(`hmac:${service}:${given}`, (2 * INTERNAL_WINDOW_MS) / 1000)))
      throw refuse('the signature was used before');
    return { service };
  };
