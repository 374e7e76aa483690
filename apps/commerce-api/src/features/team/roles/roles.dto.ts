import { Flag, Int, List, Text, Texts } from '@platform/validation';

/** The design's Role (2.2). */
export class RoleView {
  @Text({ description: 'The name of a role that every store has, or the id of one of its own' }) id!: string;
  @Text() name!: string;
  @Flag({ description: 'Of every store; cannot be changed' }) system!: boolean;
  @Texts() abilities!: string[];
  @Int() members!: number;
}

export class RoleBody {
  @Text({ max: 40, trim: true }) name!: string;
  @Texts({ max: 60, maxLength: 40 }) abilities!: string[];
}

export class RolesAnswer {
  @List(() => RoleView) data!: RoleView[];
}

export class Permission {
  @Text() ability!: string;
  @Text() area!: string;
  @Text() text!: string;
}

export class PermissionsAnswer {
  @List(() => Permission) data!: Permission[];
}
