import { sidHashOf, type SecretBox } from '@platform/auth';
import type { UserRole } from '@platform/contracts';
import type { Transaction } from '@platform/data';
import { Unauthenticated } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AuditRepository, Visitor } from '../audit/public';
import type { EventFeed } from '../events/public';
import { hashOf, opaqueToken, type TokenIssuer } from '../issuing/public';
import type { User, StoreMembership } from '../accounts/public';
import type { LiveSession, SessionKind, SessionRepository, WhichSessions } from './session.repository';

export const SESSION_LIFE_MS = 14 * 24 * 3600 * 1000;

export interface NewLogin {
  readonly user: User;
  readonly membership: StoreMembership;
  readonly kind: SessionKind;
  readonly visitor: Visitor;
}

export interface Renewal {
  readonly session: LiveSession;
  readonly storeId: string;
  readonly sid: string;
  /** Seconds, if shorter than the default. */
  readonly ttl?: number;
  /** Returned along with the access token. */
  readonly refreshToken?: string;
}

export interface RenewedToken {
  readonly token: string;
  readonly expiresIn: number;
  readonly refreshToken?: string;
}

const successorPurpose = (sidHash: string): string => `auth_sessions ${sidHash}`;

/** Prefixed with the login in clear, because only hashes of it are stored; to clients the whole is opaque. */
export const refreshTokenFor = (sid: string): string => `${sid}.${opaqueToken()}`;
export const sidOf = (refreshToken: string): string => refreshToken.split('.')[0] ?? '';

/** The tokens of a login. */
export interface SessionGrant {
  readonly userId: string;
  readonly email: string;
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken: string;
  readonly sid: string;
  readonly storeId: string;
  readonly role: UserRole;
}

export interface SessionDependencies {
  readonly sessions: SessionRepository;
  readonly issuer: TokenIssuer;
  readonly events: EventFeed;
  readonly audit: AuditRepository;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly accessTtl: number;
}

/** Begins and ends logins, each within the caller's transaction. */
export class SessionService {
  constructor(private readonly parts: SessionDependencies) {}

  /**
   * A login of 14 days at most, with its first access token and refresh token. The caller holds user and membership, or a
   * concurrent reset, disabling or demotion would miss it.
   */
  async begin(tx: Transaction, { user, membership, kind, visitor }: NewLogin): Promise<SessionGrant> {
    const { sessions, issuer, audit, clock, accessTtl } = this.parts;
    const { storeId, role, teams } = membership;
    const [sid, now] = [opaqueToken(), clock.now()];
    const refreshToken = refreshTokenFor(sid);
    const sidHash = sidHashOf(sid);
    const holder = { userId: user.id, email: user.email, storeId, role, teams };
    const { token, claims } = issuer.access({ holder, sid, ttlSeconds: accessTtl });
    await sessions.insert(tx, {
      sidHash,
      refreshHash: hashOf(refreshToken),
      userId: user.id,
      storeId,
      kind,
      ip: visitor.address,
      userAgent: visitor.userAgent,
      jti: claims.jti,
      now,
      expiresAt: new Date(now.getTime() + SESSION_LIFE_MS),
    });
    await audit.record(tx, { type: 'login', userId: user.id, storeId, sidHash, visitor });
    return {
      userId: user.id,
      email: user.email,
      accessToken: token,
      expiresIn: accessTtl,
      refreshToken,
      sid,
      storeId,
      role,
    };
  }

  /** The next access token of a login, never valid for longer than the login itself. */
  async renew(tx: Transaction, { session, storeId, sid, ttl, refreshToken }: Renewal): Promise<RenewedToken> {
    const { sessions, issuer, box, clock, accessTtl } = this.parts;
    const now = clock.now();
    const left = Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000);
    if (left <= 0) throw new Unauthenticated({ reason: 'invalid' });
    const ttlSeconds = Math.min(ttl ?? accessTtl, accessTtl, left);
    const { token, claims } = issuer.access({ holder: { ...session, storeId }, sid, ttlSeconds });
    const renewed = { token, expiresIn: ttlSeconds, refreshToken };
    const sidHash = sidHashOf(sid);
    const sealed = box.seal(JSON.stringify(renewed), successorPurpose(sidHash));
    if (!(await sessions.renew(tx, { sidHash, jti: claims.jti, sealed, now })))
      throw new Unauthenticated({ reason: 'invalid' });
    return renewed;
  }

  /** The successor of the access token before the current one. */
  successor(sidHash: string, sealed: string): RenewedToken {
    return JSON.parse(this.parts.box.open(sealed, successorPurpose(sidHash))) as RenewedToken;
  }

  /** Ends logins; verifiers learn of it from the feed. Resolves to how many were valid until now. */
  async revoke(tx: Transaction, which: WhichSessions): Promise<number> {
    const { sessions, events, clock } = this.parts;
    const now = clock.now();
    const revoked = await sessions.revoke(tx, now, which);
    // The longest lifetime of any token of a login: until then verifiers must remember
    const exp = Math.floor(now.getTime() / 1000) + 3600;
    await events.publish(
      tx,
      revoked.map((sidHash) => ({ type: 'revoke', sid_hash: sidHash, exp })),
    );
    return revoked.length;
  }
}
