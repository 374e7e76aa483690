import { Rejected } from '@platform/errors';
import type { Database } from '@platform/data';
import type { Visitor } from '../audit/audit.repository';
import type { SessionGrant, SessionService } from '../sessions/session.service';
import { chooseStore } from '../users/store-choice';
import type { UserRepository } from '../users/users.repository';
import type { CredentialsService } from './credentials.service';

export interface LoginRequest {
  readonly email: string;
  readonly password: string;
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

  async login({ email, password, storeId }: LoginRequest, visitor: Visitor): Promise<SessionGrant> {
    const user = await this.credentials.verify({ email, password, visitor });
    if (!user) throw refused();
    if (user.totpSealed) throw new Rejected('kode otp diperlukan', { code: 'otp_required' });
    const membership = chooseStore(await this.users.memberships(user.id), {
      asked: storeId,
      lastUsed: user.lastStoreId,
    });
    if (!membership) throw refused();
    return this.database.tx((tx) => this.sessions.begin(tx, { user, membership, kind: 'jwt', visitor }));
  }
}
