import { tokenTypes, type TokenType } from '@platform/contracts';
import { Choice, Flag, Json, Nested, Text } from '@platform/validation';

export class IntrospectBody {
  @Text({ max: 8192 }) token!: string;
}

export class Introspection {
  @Flag() active!: boolean;
  @Choice(Object.values(tokenTypes), { optional: true }) type?: TokenType;
  @Json({ optional: true, description: 'With role and teams of now' }) claims?: object;
}

export class IntrospectReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
  @Nested(() => Introspection) data!: Introspection;
}
