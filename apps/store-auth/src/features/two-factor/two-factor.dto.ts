import { Nested, Text, Texts } from '@platform/validation';
import { SuccessReply } from '../../success';
import { PASSWORD_MAX } from '../passwords/public';

export class BeginTwoFactorBody {
  @Text({ max: PASSWORD_MAX }) password!: string;
}

class BegunTwoFactor {
  @Text({ description: 'Base32, for typing it in' }) secret!: string;
  @Text({ description: 'For a QR code' }) otpauth_url!: string;
}

export class BegunTwoFactorReply extends SuccessReply {
  @Nested(() => BegunTwoFactor) data!: BegunTwoFactor;
}

export class ConfirmTwoFactorBody {
  @Text({ max: 16, trim: true }) otp!: string;
}

class RecoveryCodes {
  @Texts({ description: 'Shown this once' }) recovery_codes!: string[];
}

export class RecoveryCodesReply extends SuccessReply {
  @Nested(() => RecoveryCodes) data!: RecoveryCodes;
}

export class SecondProofBody {
  @Text({ requiredWithout: ['recovery_code'], max: 16, trim: true }) otp?: string;
  @Text({ optional: true, max: 32, trim: true }) recovery_code?: string;
}
