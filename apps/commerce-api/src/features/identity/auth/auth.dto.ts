import { userRoles, type UserRole } from '@platform/contracts';
import { Anything, Choice, Flag, Int, Nested, Text } from '@platform/validation';

export class LoginBody {
  @Text({ max: 254, trim: true, format: 'email' }) email!: string;
  @Text({ max: 128 }) password!: string;
  @Text({ optional: true, max: 60, trim: true }) device_name?: string;
}

/** Exactly these three fields, without an envelope (contract, section C, Authentication). */
export class TokenReply {
  @Text() access_token!: string;
  @Choice(['Bearer']) token_type!: 'Bearer';
  @Int({ description: 'Seconds' }) expires_in!: number;
}

/** The password was right and a code of the second factor is missing: `POST /api/auth/two-factor`. */
export class SecondFactorNeeded {
  @Flag<true>() two_factor!: true;
  @Text() challenge!: string;
  @Int({ description: 'Seconds' }) expires_in!: number;
}

export class TwoFactorBody {
  @Text({ max: 256 }) challenge!: string;
  @Text({ max: 32, trim: true, description: 'Six digits of the authenticator, or a recovery code' }) code!: string;
}

export class SwitchStoreBody {
  @Text({ max: 36, trim: true }) store_id!: string;
}

/** The owner of a token; for clients that want to know whether theirs works. */
export class TokenOwner {
  @Text() user_id!: string;
  @Text() store_id!: string;
  @Choice(userRoles) role!: UserRole;
  @Text({ description: 'ISO 8601' }) expires_at!: string;
}

export class TokenOwnerAnswer {
  @Text() message!: string;
  @Nested(() => TokenOwner) data!: TokenOwner;
}

/** Success without data. */
export class DoneAnswer {
  @Text() message!: string;
  @Anything({ nullable: true }) data!: null;
}
