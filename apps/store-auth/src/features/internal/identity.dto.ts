import { userRoles, type UserRole } from '@platform/contracts';
import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';
import { SuccessReply } from '../../success';
import { SecondProofBody } from '../two-factor/public';

export class VerifyCredentialsBody {
  @Text({ requiredWithout: ['user_id'], max: 254, trim: true }) email?: string;
  @Text({ optional: true, format: 'uuid' }) user_id?: string;
  @Text({ max: 128 }) password!: string;
  @Text({ max: 64, description: "The end user's address; limits count it" }) ip!: string;
  @Text({ optional: true, max: 1024 }) user_agent?: string;
}

export class UserView {
  @Text() user_id!: string;
  @Text() email!: string;
  @Text() nama!: string;
  @Text({ nullable: true }) phone!: string | null;
  @Text() locale!: string;
  @Text() timezone!: string;
  @Flag() email_verified!: boolean;
  @Flag() phone_verified!: boolean;
  @Flag() two_factor!: boolean;
  @Choice(['active', 'disabled']) status!: 'active' | 'disabled';
}

export class MembershipView {
  @Text() store_id!: string;
  @Choice(userRoles) role!: UserRole;
  @Texts() teams!: string[];
  @Choice(['active', 'disabled']) status!: 'active' | 'disabled';
}

export class VerifiedCredentials {
  @Flag() valid!: boolean;
  @Flag({ optional: true }) otp_required?: boolean;
  @Text({ optional: true, description: 'Single use, 5 minutes' }) challenge?: string;
  @Nested(() => UserView, { optional: true }) user?: UserView;
  @List(() => MembershipView, { optional: true }) memberships?: MembershipView[];
}

export class VerifiedSecond {
  @Flag() valid!: boolean;
  @Text({ optional: true, description: 'Good for tokens now' }) challenge?: string;
  @Nested(() => UserView, { optional: true }) user?: UserView;
  @List(() => MembershipView, { optional: true }) memberships?: MembershipView[];
}

export class VerifyOtpReply extends SuccessReply {
  @Nested(() => VerifiedSecond) data!: VerifiedSecond;
}

export class VerifyCredentialsReply extends SuccessReply {
  @Nested(() => VerifiedCredentials) data!: VerifiedCredentials;
}

export class VerifyOtpBody extends SecondProofBody {
  @Text({ max: 256 }) challenge!: string;
}

export class TokenGrantBody {
  @Choice(['challenge', 'session', 'refresh']) grant!: 'challenge' | 'session' | 'refresh';
  @Text({ optional: true, max: 256, description: 'For the grant challenge' }) challenge?: string;
  @Text({ optional: true, max: 8192, description: 'An access token; may have expired for the grant refresh' })
  token?: string;
  @Text({ optional: true, max: 256, description: 'Instead of the token, for the grant session' }) sid?: string;
  @Text({ optional: true, max: 36, description: 'Needed for the grant session' }) store_id?: string;
  @Choice(['web', 'jwt'], { optional: true, description: 'jwt when left out' }) kind?: 'web' | 'jwt';
}

export class TokenGrant {
  @Text() access_token!: string;
  @Choice(['Bearer']) token_type!: 'Bearer';
  @Int() expires_in!: number;
  @Text() refresh_token!: string;
  @Text() sid!: string;
  @Text() store_id!: string;
  @Choice(userRoles) role!: UserRole;
}

export class TokenGrantReply extends SuccessReply {
  @Nested(() => TokenGrant) data!: TokenGrant;
}
