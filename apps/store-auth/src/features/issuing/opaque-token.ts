import { createHash, randomBytes } from 'node:crypto';

/** The only form in which an opaque token is stored. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** 256 random bits: refresh tokens, challenges, cookie ids, sids. */
export const opaqueToken = (): string => randomBytes(32).toString('base64url');
