import { createPublicKey, verify } from 'node:crypto';
import { Refused } from './message';

const DAY_SECONDS = 86_400;

interface Claims {
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly sub?: unknown;
}

const jsonOf = (part: string): Record<string, unknown> => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    throw new Refused(403, 'the token is no JWT');
  }
};

const publicKey = (point: string) => {
  const bytes = Buffer.from(point, 'base64url');
  if (bytes.length !== 65 || bytes[0] !== 4) throw new Refused(403, 'k must be a point of P-256');
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
};

const demandClaims = ({ aud, exp, sub }: Claims, origin: string, now: number): void => {
  if (aud !== origin) throw new Refused(403, `aud must be ${origin}`);
  if (typeof exp !== 'number' || exp <= now) throw new Refused(403, 'the token has expired');
  if (exp > now + DAY_SECONDS) throw new Refused(403, 'exp must be within 24 hours');
  if (typeof sub !== 'string' || !/^(mailto:|https:)/.test(sub))
    throw new Refused(403, 'sub must be mailto: or https:');
};

/** Who sends, proved by `Authorization: vapid t=..,k=..` (RFC 8292). Throws `Refused`. */
export const senderOf = (
  authorization: string | undefined,
  { origin, now }: { readonly origin: string; readonly now: number },
): { readonly key: string; readonly subject: string } => {
  const [, token = '', key = ''] =
    /^vapid\s+t=([\w-]+\.[\w-]+\.[\w-]+)\s*,\s*k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  if (token === '') throw new Refused(401, 'there is no vapid authorization');
  const [head = '', body = '', signature = ''] = token.split('.');
  if (jsonOf(head).alg !== 'ES256') throw new Refused(403, 'alg must be ES256');
  const signed = { key: publicKey(key), dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url')))
    throw new Refused(403, 'the signature is wrong');
  const claims = jsonOf(body);
  demandClaims(claims, origin, now);
  return { key, subject: claims.sub as string };
};
