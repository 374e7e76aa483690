import { sidHashOf } from '@platform/auth';
import type { Database } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import type { Visitor } from '../audit/public';
import type { RefreshService, SessionService } from '../sessions/public';
import type { MintedToken } from './mint.dto';
import type { PreviewRepository } from './preview.repository';
import type { InspectedToken } from './token-inspector';
import { PREVIEW_TTL_SECONDS, type TokenIssuer } from '../issuing/public';

export interface MintRequest {
  readonly refreshToken?: string;
  /** Given: a preview token bound to it. */
  readonly previewReferer?: string;
  readonly ttl?: number;
}

export interface MintDependencies {
  readonly database: Database;
  readonly refreshes: RefreshService;
  readonly logins: SessionService;
  readonly previews: PreviewRepository;
  readonly issuer: TokenIssuer;
}

/** `POST /api/create-token`: tokens for somebody who has one, or had one until a moment ago. */
export class MintService {
  constructor(private readonly parts: MintDependencies) {}

  /** Throws `Unauthenticated` "expired" for an expired caller without a refresh token. */
  async mint(caller: InspectedToken, request: MintRequest, visitor: Visitor): Promise<MintedToken> {
    const { refreshToken, previewReferer, ttl } = request;
    if (caller.expired && refreshToken === undefined) throw new Unauthenticated({ reason: 'expired' });
    const refreshed = refreshToken && (await this.parts.refreshes.exchange(refreshToken, visitor, caller.claims.sid));
    const successor = refreshed ? { refresh_token: refreshed.refreshToken } : {};
    if (previewReferer !== undefined) return { ...(await this.preview(caller, previewReferer, ttl)), ...successor };
    if (refreshed)
      return { email: refreshed.email, token: refreshed.token, ...successor, expires_in: refreshed.expiresIn };
    return this.access(caller, ttl);
  }

  private async access(caller: InspectedToken, ttl: number | undefined): Promise<MintedToken> {
    const { database, logins } = this.parts;
    const { session, claims } = loginOf(caller);
    const renewal = { session, storeId: claims.store_id, sid: claims.sid, ttl };
    const { token, expiresIn } = await database.tx((tx) => logins.renew(tx, renewal));
    return { email: caller.email, token, expires_in: expiresIn };
  }

  private async preview(caller: InspectedToken, referer: string, ttl = PREVIEW_TTL_SECONDS): Promise<MintedToken> {
    const { issuer, previews, database } = this.parts;
    const { session, claims } = loginOf(caller);
    const holder = { ...session, storeId: claims.store_id };
    const signed = issuer.preview({ holder, sid: claims.sid, ttlSeconds: ttl });
    const { jti, exp } = signed.claims;
    await previews.insert(database, { jti, sidHash: sidHashOf(claims.sid), referer, expiresAt: new Date(exp * 1000) });
    return { email: caller.email, token: signed.token, expires_in: ttl };
  }
}

const loginOf = ({ session, claims }: InspectedToken) => {
  if (!session) throw new Unauthenticated({ reason: 'invalid' });
  return { session, claims };
};
