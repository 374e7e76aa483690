import { Choice, Email, Flag, Int, Nested, Phone, Text } from '@platform/validation';
import { locales, StoreName, UserView } from '../profile/public';

export class RegisterBody {
  @Text({ max: 100, trim: true }) name!: string;
  @Email() email!: string;
  @Phone() phone!: string;
  @Text({ min: 8, max: 128 }) password!: string;
  @Text({ min: 2, max: 80, trim: true }) store_name!: string;
  @Choice(locales, { optional: true }) locale?: (typeof locales)[number];
  @Text({ optional: true, max: 64, trim: true, description: 'Asia/Jakarta unless given' }) timezone?: string;
}

export class VerificationSent {
  @Choice(['email']) channel!: 'email';
  @Int({ description: 'Seconds' }) expires_in!: number;
}

export class Registered {
  @Nested(() => UserView) user!: UserView;
  @Nested(() => StoreName) store!: StoreName;
  @Nested(() => VerificationSent) verification!: VerificationSent;
}

export class VerifyBody {
  @Email() email!: string;
  @Text({ max: 16, trim: true, description: 'Ten letters and digits from the message, in upper or lower case' })
  code!: string;
}

export class Verified {
  @Flag<true>() verified!: true;
}

export class AddressBody {
  @Email() email!: string;
}

export class ResetBody {
  @Text({ max: 128, trim: true, description: 'From the link' }) token!: string;
  @Text({ min: 8, max: 128 }) password!: string;
}
