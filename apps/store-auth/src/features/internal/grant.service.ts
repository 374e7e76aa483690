import { sidHashOf } from '@platform/auth';
import { tokenTypes } from '@platform/contracts';
import type { Database } from '@platform/data';
import { refusals } from '../../refusals';
import type { AuditRepository } from '../audit/public';
import type { SessionRepository, SessionGrant } from '../sessions/public';
import type { TokenInspector } from '../tokens/public';
import { chooseStore, type UserRepository } from '../accounts/public';
import type { LoginPace } from '../login/public';
import type { SessionRenewal } from './session.renewal';

export interface GrantDependencies {
  readonly database: Database;
  readonly tokens: TokenInspector;
  readonly sessions: SessionRepository;
  readonly users: UserRepository;
  readonly audit: AuditRepository;
  readonly renewal: SessionRenewal;
  readonly pace: LoginPace;
}

const ACCESS = [tokenTypes.access];
/** Further tokens of a valid login: in another store, or after the access token expired. */
export class GrantService {
  constructor(private readonly parts: GrantDependencies) {}

  /** Grant `session`: the login moves to another of its user's stores. Takes the access token, or the sid. Throws `TooMany`. */
  async switchStore(proof: { token: string } | { sid: string }, storeId: string): Promise<SessionGrant> {
    const { database, sessions, users, audit, renewal, pace } = this.parts;
    const sid = 'sid' in proof ? proof.sid : (await this.parts.tokens.inspect(proof.token, ACCESS)).claims.sid;
    return database.tx(async (tx) => {
      // Locks in the common order: user, store, login
      const userId = (await sessions.ownerOf(tx, sidHashOf(sid))) ?? '';
      if (userId) await users.hold(tx, userId);
      const memberships = userId ? await users.heldMemberships(tx, userId) : [];
      const held = await renewal.hold(tx, sid);
      await pace.demandRest(held.userId, 'store_switched', tx);
      if (!chooseStore(memberships, { asked: storeId, lastUsed: null })) throw refusals.notAMember();
      await sessions.enter(tx, sidHashOf(sid), storeId);
      const grant = await renewal.renew(tx, { sid, storeId });
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
    const { database, sessions, renewal } = this.parts;
    return database.tx(async (tx) => {
      await sessions.holdStore(tx, storeId);
      const held = await renewal.hold(tx, sid);
      if (held.currentJti === jti) return renewal.renew(tx, { sid, storeId });
      return renewal.successor(tx, held, { sid, jti, storeId });
    });
  }
}
