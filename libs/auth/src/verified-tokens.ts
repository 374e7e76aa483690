import { hash } from 'node:crypto';
import type { Claims } from '@platform/contracts';

export interface VerifiedToken {
  readonly claims: Claims;
  readonly sidHash: string;
  /** Epoch milliseconds until which the entry may be used. */
  readonly until: number;
}

/** Verified tokens by the SHA-256 of the token; the least recently used goes first when it is full. */
export interface VerifiedTokens {
  get(token: string, now: number): VerifiedToken | undefined;
  set(token: string, entry: VerifiedToken): void;
}

const keyOf = (token: string): string => hash('sha256', token, 'base64');

/** Holds no token, only hashes. A Map keeps insertion order, which makes it the list of last use as well. */
export const verifiedTokens = (limit: number): VerifiedTokens => {
  const entries = new Map<string, VerifiedToken>();
  return {
    get: (token, now) => {
      const key = keyOf(token);
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      if (entry.until <= now) return undefined;
      entries.set(key, entry);
      return entry;
    },
    set: (token, entry) => {
      const oldest = entries.size >= limit ? entries.keys().next().value : undefined;
      if (oldest !== undefined) entries.delete(oldest);
      entries.set(keyOf(token), entry);
    },
  };
};
