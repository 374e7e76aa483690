import { Choice, Int, Nested, Text } from '@platform/validation';
import { userRoles, type UserRole } from '@platform/contracts';
import { SuccessReply } from '../../success';

export class LoginBody {
  @Text({ max: 254, trim: true, example: 'owner@toko-nusa.example' }) email!: string;
  @Text({ max: 128, example: 'correct horse battery' }) password!: string;
  @Text({ optional: true, max: 32, description: 'Code of the authenticator, or a recovery code' }) otp?: string;
  @Text({ optional: true, max: 36, description: 'The last used store when left out, else the oldest' })
  store_id?: string;
}

export class LoginData {
  @Text() email!: string;
  @Text({ description: 'Access token, RS256' }) token!: string;
  @Choice(['Bearer']) token_type!: 'Bearer';
  @Int({ description: 'Seconds' }) expires_in!: number;
  @Text({ description: 'Single use' }) refresh_token!: string;
  @Text() store_id!: string;
  @Choice(userRoles) role!: UserRole;
}

export class LoginReply extends SuccessReply {
  @Nested(() => LoginData) data!: LoginData;
}
