import { Choice, Int, Nested, Text, Texts } from '@platform/validation';

export class CheckBody {
  @Text({ optional: true, max: 8192, description: 'Wins over the Authorization header when both are sent' })
  token?: string;
}

export class CheckedToken {
  @Text({ keepEmpty: true }) email!: string;
  @Text({ keepEmpty: true }) store_id!: string;
  @Text() role!: string;
  @Text({ format: 'instant' }) expires_at!: string;
}

export class CheckReply {
  @Choice(['valid']) status!: 'valid';
  @Text() message!: string;
  @Nested(() => CheckedToken) data!: CheckedToken;
}

export class IntrospectedToken extends CheckedToken {
  @Choice(['access', 'preview', 'service']) type!: 'access' | 'preview' | 'service';
  @Text() sub!: string;
  @Text() sid!: string;
  @Texts() teams!: readonly string[];
  @Int({ description: 'Epoch seconds' }) iat!: number;
}

export class ChecktokenReply {
  @Choice(['valid']) status!: 'valid';
  @Text() message!: string;
  @Nested(() => IntrospectedToken) data!: IntrospectedToken;
}
