import type { Database } from '@platform/data';
import { refusals } from '../../refusals';
import type { Visitor } from '../audit/public';
import type { SessionGrant, SessionService } from '../sessions/public';
import { proofOf } from '../second-factor/public';
import { chooseStore, type UserRepository } from '../accounts/public';
import type { CredentialsService } from './credentials.service';

export interface LoginRequest {
  readonly email: string;
  readonly password: string;
  readonly otp?: string;
  readonly storeId?: string;
}

/** `POST /api/login`. */
export class LoginService {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialsService,
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
  ) {}

  async login({ email, password, otp, storeId }: LoginRequest, visitor: Visitor): Promise<SessionGrant> {
    const proof = otp === undefined ? undefined : proofOf(otp);
    const verdict = await this.credentials.verify({ email, password, proof, visitor });
    if (verdict.state === 'refused') throw refusals.login();
    if (!verdict.user.emailVerifiedAt) throw refusals.emailUnverified();
    if (verdict.state === 'otp_required') throw refusals.otpRequired();
    if (verdict.state === 'otp_invalid') throw refusals.otpInvalid();
    return this.database.tx(async (tx) => {
      const user = await this.users.holdVerified(tx, verdict.user);
      if (!user) throw refusals.login();
      const memberships = await this.users.heldMemberships(tx, user.id);
      const membership = chooseStore(memberships, { asked: storeId, lastUsed: user.lastStoreId });
      if (!membership) throw refusals.login();
      return this.sessions.begin(tx, { user, membership, kind: 'jwt', visitor });
    });
  }
}
