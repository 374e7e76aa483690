import { userRoles, type UserRole } from '@platform/contracts';
import { Choice, Flag, Nested, Text, Texts } from '@platform/validation';
import { SuccessReply } from '../../success';

export class StoreBody {
  @Text({ max: 200 }) nama!: string;
  @Choice(['open', 'closed', 'suspended']) status!: 'open' | 'closed' | 'suspended';
}

export class MembershipBody {
  @Choice(userRoles) role!: UserRole;
  @Texts({ max: 50, maxLength: 36 }) teams!: string[];
  @Choice(['active', 'disabled']) status!: 'active' | 'disabled';
  @Text({ format: 'instant', description: 'Of the change; one older than the stored one is ignored' })
  updated_at!: string;
}

export class RemoveMembershipBody {
  @Text({ optional: true, format: 'instant', description: 'Now when left out' }) updated_at?: string;
}

class Applied {
  @Flag({ description: 'False: nothing to change, or a newer change is known' }) applied!: boolean;
}

export class AppliedReply extends SuccessReply {
  @Nested(() => Applied) data!: Applied;
}
