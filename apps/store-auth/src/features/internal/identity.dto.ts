import { userRoles, type UserRole } from '@platform/contracts';
import { Choice, Flag, Int, List, Nested, Text, Texts } from '@platform/validation';

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

export class VerifyCredentialsReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
  @Nested(() => VerifiedCredentials) data!: VerifiedCredentials;
}

export class TokenGrantBody {
  @Choice(['challenge']) grant!: 'challenge';
  @Text({ max: 256 }) challenge!: string;
  @Text({ optional: true, max: 36 }) store_id?: string;
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

export class TokenGrantReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
  @Nested(() => TokenGrant) data!: TokenGrant;
}
