import { Choice, Flag, Int, Text } from '@platform/validation';

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
  @Flag() two_factor!: true;
  @Text() challenge!: string;
  @Int({ description: 'Seconds' }) expires_in!: number;
}
