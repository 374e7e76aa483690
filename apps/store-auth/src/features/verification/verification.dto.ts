import { Choice, Flag, Int, Nested, Text } from '@platform/validation';
import { SuccessReply } from '../../success';
import { PASSWORD_MAX, PASSWORD_MIN } from '../passwords/public';
import { codePurposes, type CodePurpose } from './verification-code.repository';

export class IssueCodeBody {
  @Text({ requiredWithout: ['user_id'], max: 254, trim: true }) email?: string;
  @Text({ optional: true, format: 'uuid' }) user_id?: string;
  @Choice(codePurposes) purpose!: CodePurpose;
}

class IssuedCode {
  @Text() code_id!: string;
  @Text() code!: string;
  @Int({ description: 'Seconds' }) expires_in!: number;
  @Flag({ description: 'False: nobody has this e-mail or number; say nothing of it' }) deliver!: boolean;
}

export class IssuedCodeReply extends SuccessReply {
  @Nested(() => IssuedCode) data!: IssuedCode;
}

export class ConsumeCodeBody {
  @Text({ requiredWithout: ['token'], max: 36 }) code_id?: string;
  @Text({ requiredWithout: ['token'], max: 32 }) code?: string;
  @Text({ optional: true, max: 128, description: '`code_id.code`: the form of a link' }) token?: string;
  @Choice(codePurposes) purpose!: CodePurpose;
  @Text({ optional: true, min: PASSWORD_MIN, max: PASSWORD_MAX, description: 'Required for reset_password' })
  password?: string;
}

class ConsumedCode {
  @Text() user_id!: string;
}

export class ConsumedCodeReply extends SuccessReply {
  @Nested(() => ConsumedCode) data!: ConsumedCode;
}
