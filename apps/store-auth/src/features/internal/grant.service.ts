import { sidHashOf } from '@platform/auth';
import { tokenTypes } from '@platform/contracts';
import type { Database, Transaction } from '@platform/data';
import { Rejected, Unauthenticated } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AuditRepository } from '../audit/audit.repository';
import type { RefreshRepository } from '../sessions/refresh.repository';
import type { HeldSession, LiveSession, SessionRepository } from '../sessions/session.repository';
import { refreshTokenFor, type SessionGrant, type SessionService } from '../sessions/session.service';
import { hashOf } from '../tokens/opaque-token';
import type { TokenInspector } from '../tokens/token-inspector';
import { chooseStore } from '../users/store-choice';
import type { UserRepository } from '../users/users.repository';

export interface GrantDependencies {
  readonly database: Database;
  readonly tokens: TokenInspector;
  readonly sessions: SessionRepository;
  readonly refreshes: RefreshRepository;
  readonly logins: SessionService;
  readonly users: UserRepository;
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

const ACCESS = [tokenTypes.access];
const invalid = (): Unauthenticated => new Unauthenticated({ reason: 'invalid' });

interface Place {
  readonly sid: string;
  readonly storeId: string;
}

/** Further tokens of a login that goes on: in another store, or after the access token's end. */
export class GrantService {
  constructor(private readonly parts: GrantDependencies) {}

  /** Grant `session`: the login goes on in another store of its user. Give the access token, or the sid. */
  async switchStore(proof: { token: string } | { sid: string }, storeId: string): Promise<SessionGrant> {
    const { database, sessions, users, audit } = this.parts;
    const sid = 'sid' in proof ? proof.sid : (await this.parts.tokens.inspect(proof.token, ACCESS)).claims.sid;
    return database.tx(async (tx) => {
      const held = await this.hold(tx, sid);
      const memberships = await users.memberships(held.userId, tx);
      if (!chooseStore(memberships, { asked: storeId, lastUsed: null }))
        throw new Rejected('bukan anggota toko', { code: 'not_a_member' });
      await sessions.enter(tx, sidHashOf(sid), storeId);
      const grant = await this.renew(tx, { sid, storeId });
      await audit.record(tx, { type: 'store_switched', userId: held.userId, storeId, sidHash: sidHashOf(sid) });
      return grant;
    });
  }

  /**
   * Grant `refresh`: the next access token for the last one, which may have expired. The one before the last gets the same
   * successor for 30 seconds, because parallel tabs and clients that lost an answer ask again (design 3.2).
   */
  async refresh(token: string): Promise<SessionGrant> {
    const { sid, jti, store_id: storeId } = await this.parts.tokens.signed(token, ACCESS);
    return this.parts.database.tx(async (tx) => {
      const held = await this.hold(tx, sid);
      if (held.currentJti === jti) return this.renew(tx, { sid, storeId });
      return this.successor(tx, held, { sid, jti, storeId });
    });
  }

  private async hold(tx: Transaction, sid: string): Promise<HeldSession> {
    const held = await this.parts.sessions.hold(tx, sidHashOf(sid), this.parts.clock.now());
    if (!held) throw invalid();
    return held;
  }

  private async live(tx: Transaction, { sid, storeId }: Place): Promise<LiveSession> {
    const session = await this.parts.sessions.live(tx, sidHashOf(sid), storeId);
    if (!session) throw invalid();
    return session;
  }

  private async renew(tx: Transaction, place: Place): Promise<SessionGrant> {
    const session = await this.live(tx, place);
    const refreshToken = await this.refreshToken(tx, place.sid, session.expiresAt);
    const renewed = await this.parts.logins.renew(tx, { ...place, session, refreshToken });
    return grantOf(session, place, { ...renewed, refreshToken });
  }

  private async successor(
    tx: Transaction,
    { previousJti, previousUntil, successorSealed }: HeldSession,
    { jti, ...place }: Place & { readonly jti: string },
  ): Promise<SessionGrant> {
    const recent = previousUntil !== null && previousUntil > this.parts.clock.now();
    if (previousJti !== jti || !recent || !successorSealed) throw invalid();
    const session = await this.live(tx, place);
    const renewed = this.parts.logins.successor(sidHashOf(place.sid), successorSealed);
    const refreshToken = renewed.refreshToken ?? (await this.refreshToken(tx, place.sid, session.expiresAt));
    return grantOf(session, place, { ...renewed, refreshToken });
  }

  private async refreshToken(tx: Transaction, sid: string, expiresAt: Date): Promise<string> {
    const refreshToken = refreshTokenFor(sid);
    await this.parts.refreshes.insert(tx, hashOf(refreshToken), sidHashOf(sid), expiresAt);
    return refreshToken;
  }
}

const grantOf = (
  { userId, email, role }: LiveSession,
  place: Place,
  { token, expiresIn, refreshToken }: { token: string; expiresIn: number; refreshToken: string },
): SessionGrant => ({ ...place, userId, email, role, accessToken: token, expiresIn, refreshToken });
