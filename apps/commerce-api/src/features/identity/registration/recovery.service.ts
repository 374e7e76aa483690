import { InvalidInput } from '@platform/errors';
import type { CodesClient } from '../../../clients/store-auth.codes';
import type { CodeSender } from '../codes/public';

const refused = (field: string, message: string) => new InvalidInput([{ field, tag: 'invalid', message }]);

/** Proofs of an address, and passwords that were forgotten. Nobody learns here which addresses have an account. */
export class RecoveryService {
  constructor(
    private readonly sender: CodeSender,
    private readonly codes: Pick<CodesClient, 'consume'>,
  ) {}

  /** A wrong code and an address that nobody has are answered alike. */
  async verify(email: string, code: string): Promise<void> {
    if (!(await this.sender.prove(email, 'verify_email', code))) throw refused('code', 'code is wrong or has expired');
  }

  resend(email: string): Promise<void> {
    return this.sender.request(email, 'verify_email');
  }

  forgot(email: string): Promise<void> {
    return this.sender.request(email, 'reset_password');
  }

  /** Every login of the user ends. */
  async reset(token: string, password: string): Promise<void> {
    if (!(await this.codes.consume({ token }, 'reset_password', password)))
      throw refused('token', 'token is wrong or has expired');
  }
}
