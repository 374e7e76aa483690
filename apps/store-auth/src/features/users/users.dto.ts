import { userRoles, type UserRole } from '@platform/contracts';
import { Choice, Flag, List, Nested, Text, Texts } from '@platform/validation';
import { SuccessReply } from '../../success';
import { UserView } from '../internal/public';
import { PASSWORD_MAX, PASSWORD_MIN } from '../passwords/public';

class NewStore {
  @Text({ max: 36 }) store_id!: string;
  @Text({ max: 200 }) nama!: string;
}

class NewMembership {
  @Text({ max: 36 }) store_id!: string;
  @Choice(userRoles) role!: UserRole;
  @Texts({ optional: true, max: 50, maxLength: 36 }) teams?: string[];
}

export class CreateUserBody {
  @Text({ format: 'uuid', description: "The caller's choice, so that a retry is the same request" }) user_id!: string;
  @Text({ max: 254, format: 'email', trim: true }) email!: string;
  @Text({ min: PASSWORD_MIN, max: PASSWORD_MAX }) password!: string;
  @Text({ max: 200 }) nama!: string;
  @Text({ optional: true, max: 32 }) phone?: string;
  @Text({ optional: true, max: 16 }) locale?: string;
  @Text({ optional: true, max: 64 }) timezone?: string;
  @Nested(() => NewStore, { optional: true, description: 'A new store, owned by the new user' }) store?: NewStore;
  @Nested(() => NewMembership, { optional: true }) membership?: NewMembership;
}

class CreatedUser {
  @Nested(() => UserView) user!: UserView;
  @Text({ description: 'Buys one login within 5 minutes' }) challenge!: string;
}

export class CreatedUserReply extends SuccessReply {
  @Nested(() => CreatedUser) data!: CreatedUser;
}

export class FindUsersQuery {
  @Text({ requiredWithout: ['ids', 'store_id'], max: 254 }) email?: string;
  @Text({ optional: true, max: 8000, description: 'At most 200, with commas' }) ids?: string;
  @Text({ optional: true, max: 36 }) store_id?: string;
  @Text({ optional: true, format: 'uuid', description: '`next_cursor` of the last answer' }) cursor?: string;
}

class FoundUsers {
  @List(() => UserView) users!: UserView[];
  @Text({ nullable: true }) next_cursor!: string | null;
}

export class FoundUsersReply extends SuccessReply {
  @Nested(() => FoundUsers) data!: FoundUsers;
}

export class ChangeUserBody {
  @Text({ optional: true, max: 200 }) nama?: string;
  @Text({ clearable: true, max: 32 }) phone?: string | null;
  @Text({ optional: true, max: 16 }) locale?: string;
  @Text({ optional: true, max: 64 }) timezone?: string;
  @Text({ optional: true, max: 254, format: 'email', trim: true }) email?: string;
  @Flag({ optional: true, description: 'False when the e-mail changes and this is left out' }) email_verified?: boolean;
  @Choice(['active', 'disabled'], { optional: true }) status?: 'active' | 'disabled';
}

class ChangedUser {
  @Nested(() => UserView) user!: UserView;
}

export class ChangedUserReply extends SuccessReply {
  @Nested(() => ChangedUser) data!: ChangedUser;
}

export class ChangePasswordBody {
  @Text({ min: PASSWORD_MIN, max: PASSWORD_MAX }) password!: string;
  @Text({ requiredWithout: ['code'], max: PASSWORD_MAX }) current_password?: string;
  @Text({ optional: true, max: 128, description: '`code_id.code` of a reset_password code' }) code?: string;
  @Text({ optional: true, max: 256, description: 'The login that goes on' }) except_sid?: string;
}
