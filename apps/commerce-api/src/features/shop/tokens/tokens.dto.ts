import { Flag, List, Nested, Text, Texts } from '@platform/validation';

export class NewToken {
  @Text({ max: 60, trim: true }) name!: string;
  @Texts({ min: 1, max: 60, maxLength: 40 }) abilities!: string[];
  @Text({ optional: true, format: 'instant' }) expires_at?: string;
}

export class TokenMaker {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ nullable: true }) name!: string | null;
}

/** The design's ApiToken (2.2), and who made it. */
export class ApiTokenView {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text() last4!: string;
  @Texts() abilities!: string[];
  @Text({ nullable: true, format: 'instant' }) last_used_at!: string | null;
  @Text({ nullable: true, format: 'instant' }) expires_at!: string | null;
  @Text({ nullable: true, format: 'instant' }) revoked_at!: string | null;
  @Nested(() => TokenMaker) created_by!: TokenMaker;
  @Flag({ description: 'Neither revoked nor expired, and its maker is an active member' }) works!: boolean;
}

export class MadeToken extends ApiTokenView {
  @Text({ description: 'Shown this once' }) token!: string;
}

export class ApiTokensAnswer {
  @List(() => ApiTokenView) data!: ApiTokenView[];
}
