import { hash } from 'node:crypto';
import type { Claims } from '@platform/contracts';
import { LruCache } from '@platform/runtime';

export interface VerifiedToken {
  readonly claims: Claims;
  readonly sidHash: string;
  /** Of the key that signed it. */
  readonly kid: string;
  /** Epoch milliseconds until which the entry may be used. */
  readonly until: number;
}

/** Verified tokens by the SHA-256 of the token; the least recently used is evicted first. */
export interface VerifiedTokens {
  get(token: string, now: number): VerifiedToken | undefined;
  set(token: string, entry: VerifiedToken): void;
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');

/** Holds no token, only hashes. */
export const verifiedTokens = (limit: number): VerifiedTokens => {
  const entries = new LruCache<string, VerifiedToken>({ limit });
  return {
    get: (token, now) => {
      const key = keyOf(token);
      const entry = entries.get(key);
      if (!entry || entry.until > now) return entry;
      entries.delete(key);
      return undefined;
    },
    set: (token, entry) => entries.set(keyOf(token), entry),
  };
};
