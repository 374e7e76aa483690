import { sidHashOf } from '@platform/auth';
import type { Transaction } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import {
  refreshTokenFor,
  type RefreshRepository,
  type HeldSession,
  type LiveSession,
  type SessionRepository,
  type SessionGrant,
  type SessionService,
} from '../sessions/public';
import { hashOf } from '../issuing/public';

export interface SessionRenewalDependencies {
  readonly sessions: SessionRepository;
  readonly refreshes: RefreshRepository;
  readonly logins: SessionService;
  readonly clock: Clock;
}

const invalid = (): Unauthenticated => new Unauthenticated({ reason: 'invalid' });

interface Place {
  readonly sid: string;
  readonly storeId: string;
}

/** Further tokens of a login, inside the caller's transaction. */
export class SessionRenewal {
  constructor(private readonly parts: SessionRenewalDependencies) {}

  /** The login, locked until the transaction ends. Throws `Unauthenticated` when it has ended. */
  async hold(tx: Transaction, sid: string): Promise<HeldSession> {
    const held = await this.parts.sessions.hold(tx, sidHashOf(sid), this.parts.clock.now());
    if (!held) throw invalid();
    return held;
  }

  private async live(tx: Transaction, { sid, storeId }: Place): Promise<LiveSession> {
    const session = await this.parts.sessions.live(tx, sidHashOf(sid), storeId);
    if (!session) throw invalid();
    return session;
  }

  /** The next access token of the login, and a refresh token. */
  async renew(tx: Transaction, place: Place): Promise<SessionGrant> {
    const session = await this.live(tx, place);
    const refreshToken = await this.refreshToken(tx, place.sid, session.expiresAt);
    const renewed = await this.parts.logins.renew(tx, { ...place, session, refreshToken });
    return grantOf(session, place, { ...renewed, refreshToken });
  }

  /** The successor that the first caller got, while that is recent. */
  async successor(
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
