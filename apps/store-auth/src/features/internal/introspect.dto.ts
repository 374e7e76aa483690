import { tokenTypes, type TokenType } from '@platform/contracts';
import { Choice, Flag, Json, Nested, Text } from '@platform/validation';
import { SuccessReply } from '../../success';

export class IntrospectBody {
  @Text({ max: 8192 }) token!: string;
}

export class Introspection {
  @Flag() active!: boolean;
  @Choice(Object.values(tokenTypes), { optional: true }) type?: TokenType;
  @Json({ optional: true, description: 'With role and teams of now' }) claims?: object;
}

export class IntrospectReply extends SuccessReply {
  @Nested(() => Introspection) data!: Introspection;
}
