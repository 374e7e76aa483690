import { Choice, Nested, Text } from '@platform/validation';
import { RoleName } from '../../identity/profile/public';

/** The design's Member (2.2). */
export class MemberView {
  @Text({ format: 'uuid' }) user_id!: string;
  @Text({ nullable: true, description: 'Known from the first sign-in on' }) name!: string | null;
  @Text({ nullable: true }) email!: string | null;
  @Text({ nullable: true }) avatar_url!: string | null;
  @Nested(() => RoleName) role!: RoleName;
  @Choice(['active', 'disabled']) status!: 'active' | 'disabled';
}

export class MemberChange {
  @Text({ optional: true, max: 36, trim: true }) role_id?: string;
  @Choice(['active', 'disabled'], { optional: true }) status?: 'active' | 'disabled';
}
