import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface Signed {
  readonly clientId: string;
  readonly requestId: string;
  readonly timestamp: string;
  /** Path of the called address. */
  readonly target: string;
  /** Undefined for GET, which has no digest. */
  readonly body?: Buffer | string | undefined;
}

/** The non-SNAP signature of DOKU: HMAC-SHA256 over five lines, four for GET. */
export const signatureOf = ({ clientId, requestId, timestamp, target, body }: Signed, secret: string): string => {
  const lines = [
    `Client-Id:${clientId}`,
    `Request-Id:${requestId}`,
    `Request-Timestamp:${timestamp}`,
    `Request-Target:${target}`,
    ...(body === undefined ? [] : [`Digest:${createHash('sha256').update(body).digest('base64')}`]),
  ];
  return `HMACSHA256=${createHmac('sha256', secret).update(lines.join('\n')).digest('base64')}`;
};

export const isSame = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** UTC to the second, as DOKU wants it. */
export const timestampOf = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
