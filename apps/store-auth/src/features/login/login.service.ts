import { Rejected } from '@platform/errors';
import type { Database } from '@platform/data';
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

/** One text, whatever was wrong: who has an account must not be learnt here. */
const refused = (): Rejected => new Rejected('email atau password salah');

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
    if (verdict.state === 'refused') throw refused();
    if (verdict.state === 'otp_required') throw new Rejected('kode otp diperlukan', { code: 'otp_required' });
    if (verdict.state === 'otp_invalid') throw new Rejected('kode otp salah', { code: 'otp_invalid' });
    return this.database.tx(async (tx) => {
      const user = await this.users.holdVerified(tx, verdict.user);
      if (!user) throw refused();
      const memberships = await this.users.heldMemberships(tx, user.id);
      const membership = chooseStore(memberships, { asked: storeId, lastUsed: user.lastStoreId });
      if (!membership) throw refused();
      return this.sessions.begin(tx, { user, membership, kind: 'jwt', visitor });
    });
  }
}
