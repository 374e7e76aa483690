import { sidHashOf, type SecretBox } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import { TooMany, Unauthenticated } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AuditRepository, Visitor } from '../audit/public';
import { hashOf } from '../issuing/public';
import type { RefreshRepository, RefreshToken } from './refresh.repository';
import type { LiveSession, SessionRepository } from './session.repository';
import { refreshTokenFor, sidOf, type SessionService } from './session.service';

/** Grace for a client whose answer was lost, or a second tab: both ask again with a token that was just used. */
export const REUSE_GRACE_MS = 10_000;

const HOUR_MS = 3_600_000;
/** Of one login. A token is good for an hour, or for a quarter of one. */
const EXCHANGES_PER_HOUR = 120;

/** The result of exchanging a refresh token. */
export interface Refreshed {
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

export interface RefreshDependencies {
  readonly database: Database;
  readonly refreshes: RefreshRepository;
  readonly sessions: SessionRepository;
  readonly logins: SessionService;
  readonly audit: AuditRepository;
  readonly box: SecretBox;
  readonly clock: Clock;
}

const purposeOf = (hash: string): string => `refresh_tokens ${hash}`;

/** Refresh tokens: single use, rotating; reuse ends the login, because one of the two users is a thief (design 3.2). */
export class RefreshService {
  constructor(private readonly parts: RefreshDependencies) {}

  /** Throws `Unauthenticated` for anything but a valid token, of the login `sid` if that is given, and `TooMany`. */
  async exchange(refreshToken: string, visitor: Visitor, sid = sidOf(refreshToken)): Promise<Refreshed> {
    const hash = hashOf(refreshToken);
    const refreshed = await this.parts.database.tx(async (tx) => {
      const taken = await this.parts.refreshes.take(tx, hash, this.parts.clock.now());
      if (!taken || taken.sidHash !== sidHashOf(sid)) return undefined;
      const session = await this.parts.sessions.liveHeld(tx, taken.sidHash, taken.storeId);
      if (!session) return undefined;
      return taken.usedAt
        ? this.again(tx, taken, { hash, session, visitor })
        : this.rotate(tx, taken, { hash, sid, session });
    });
    if (!refreshed) throw new Unauthenticated({ reason: 'invalid' });
    return refreshed;
  }

  private async rotate(
    tx: Transaction,
    { sidHash, storeId }: RefreshToken,
    { hash, sid, session }: { hash: string; sid: string; session: LiveSession },
  ): Promise<Refreshed> {
    const { refreshes, logins, box, clock } = this.parts;
    await this.demandRest(tx, sidHash);
    const successor = refreshTokenFor(sid);
    const { token, expiresIn } = await logins.renew(tx, { session, storeId, sid, refreshToken: successor });
    const refreshed = { email: session.email, token, refreshToken: successor, expiresIn };
    await refreshes.succeed(tx, {
      hash,
      successorHash: hashOf(successor),
      successorSealed: box.seal(JSON.stringify(refreshed), purposeOf(hash)),
      sidHash,
      expiresAt: session.expiresAt,
      now: clock.now(),
    });
    return refreshed;
  }

  /** Every token that is used stays for as long as the login, to tell a thief by: one login must not fill the table. */
  private async demandRest(tx: Transaction, sidHash: string): Promise<void> {
    const { refreshes, clock } = this.parts;
    const now = clock.now().getTime();
    const since = new Date(now - HOUR_MS);
    const before = await refreshes.usedBefore(tx, sidHash, { count: EXCHANGES_PER_HOUR, since });
    if (before)
      throw new TooMany('too many refreshes', {
        retryAfterSeconds: Math.ceil((before.getTime() + HOUR_MS - now) / 1000),
      });
  }

  /** The same successor within the grace; later undefined, and the login has ended. */
  private async again(
    tx: Transaction,
    { sidHash, storeId, usedAt, successorSealed }: RefreshToken,
    { hash, session, visitor }: { hash: string; session: LiveSession; visitor: Visitor },
  ): Promise<Refreshed | undefined> {
    const age = this.parts.clock.now().getTime() - (usedAt?.getTime() ?? 0);
    if (successorSealed && age <= REUSE_GRACE_MS)
      return JSON.parse(this.parts.box.open(successorSealed, purposeOf(hash))) as Refreshed;
    await this.parts.logins.revoke(tx, { sidHash });
    await this.parts.audit.record(tx, { type: 'refresh_reused', userId: session.userId, storeId, sidHash, visitor });
    return undefined;
  }
}
