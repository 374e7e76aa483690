import { Choice, Email, List, Nested, Text, Texts } from '@platform/validation';
import { RoleName } from '../../identity/profile/public';
import { MemberView } from '../members/public';

export class InvitationBody {
  @Email() email!: string;
  @Text({ max: 36, trim: true }) role_id!: string;
  @Texts({ optional: true, max: 50, maxLength: 36 }) chat_team_ids?: string[];
}

export class InvitationView {
  @Text({ format: 'uuid' }) id!: string;
  @Text() email!: string;
  @Nested(() => RoleName) role!: RoleName;
  @Choice(['invited']) status!: 'invited';
  @Text({ format: 'instant', description: 'The link works until then' }) expires_at!: string;
}

export class Team {
  @List(() => MemberView) members!: MemberView[];
  @List(() => InvitationView) invitations!: InvitationView[];
}

export class AcceptBody {
  @Text({ max: 160, trim: true, description: 'From the link' }) token!: string;
  @Text({ max: 128, description: 'Of the account, or for the new one' }) password!: string;
  @Text({ optional: true, max: 100, trim: true, description: 'Required when the address has no account' })
  name?: string;
}
