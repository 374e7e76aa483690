import { createHash, createHmac } from 'node:crypto';

/** What is signed of one request (design 5.1). */
export interface DokuRequest {
  readonly clientId: string;
  readonly requestId: string;
  /** UTC, `2026-11-20T07:00:00Z`. */
  readonly timestamp: string;
  /** Path of the called address, without its query. */
  readonly target: string;
  /** Undefined for GET, which is signed without a digest. */
  readonly body?: Buffer | string | undefined;
}

/** The header `Signature` of DOKU, non-SNAP. */
export const dokuSignature = (
  { clientId, requestId, timestamp, target, body }: DokuRequest,
  secret: string,
): string => {
  const digest = body === undefined ? [] : [`Digest:${createHash('sha256').update(body).digest('base64')}`];
  const text = [
    `Client-Id:${clientId}`,
    `Request-Id:${requestId}`,
    `Request-Timestamp:${timestamp}`,
    `Request-Target:${target}`,
    ...digest,
  ].join('\n');
  return `HMACSHA256=${createHmac('sha256', secret).update(text).digest('base64')}`;
};

export const dokuTimestamp = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`;
