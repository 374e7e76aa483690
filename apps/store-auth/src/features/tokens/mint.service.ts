import { sidHashOf } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import { TooMany, Unauthenticated } from '@platform/errors';
import type { Visitor } from '../audit/public';
import type { LiveSession, RefreshService, SessionRepository, SessionService } from '../sessions/public';
import type { MintedToken } from './mint.dto';
import type { PreviewRepository } from './preview.repository';
import type { InspectedToken } from './token-inspector';
import { PREVIEW_TTL_SECONDS, type TokenIssuer } from '../issuing/public';

/** Rows that one login may have at a time. */
const PREVIEWS_OF_LOGIN = 1000;

export interface MintRequest {
  readonly refreshToken?: string;
  /** When given, the token is a preview token bound to it. */
  readonly previewReferer?: string;
  readonly ttl?: number;
}

export interface MintDependencies {
  readonly database: Database;
  readonly refreshes: RefreshService;
  readonly logins: SessionService;
  readonly sessions: SessionRepository;
  readonly previews: PreviewRepository;
  readonly issuer: TokenIssuer;
}

/** `POST /api/create-token`: tokens for the holder of one that is valid or has just expired. */
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
    const { sid, store_id: storeId } = caller.claims;
    const { token, expiresIn } = await database.tx(async (tx) =>
      logins.renew(tx, { session: await this.held(tx, caller), storeId, sid, ttl }),
    );
    return { email: caller.email, token, expires_in: expiresIn };
  }

  private async preview(caller: InspectedToken, referer: string, ttl = PREVIEW_TTL_SECONDS): Promise<MintedToken> {
    const { issuer, previews, database } = this.parts;
    const { sid, store_id: storeId } = caller.claims;
    const token = await database.tx(async (tx) => {
      const holder = { ...(await this.held(tx, caller)), storeId };
      if (await previews.hasMany(tx, sidHashOf(sid), PREVIEWS_OF_LOGIN))
        throw new TooMany('too many previews', { retryAfterSeconds: PREVIEW_TTL_SECONDS });
      const { token, claims } = issuer.preview({ holder, sid, ttlSeconds: ttl });
      const expiresAt = new Date(claims.exp * 1000);
      await previews.insert(tx, { jti: claims.jti, sidHash: sidHashOf(sid), referer, expiresAt });
      return token;
    });
    return { email: caller.email, token, expires_in: ttl };
  }

  /** The caller's current rights, locked until the transaction ends: the guard read them some time before. */
  private async held(tx: Transaction, { claims: { sid, store_id: storeId } }: InspectedToken): Promise<LiveSession> {
    const session = await this.parts.sessions.liveHeld(tx, sidHashOf(sid), storeId);
    if (!session) throw new Unauthenticated({ reason: 'invalid' });
    return session;
  }
}
