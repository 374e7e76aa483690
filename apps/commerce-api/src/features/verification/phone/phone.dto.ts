import { Text } from '@platform/validation';

export class PhoneCode {
  @Text({ trim: true, pattern: /^\d{6}$/, mismatch: { tag: 'len', text: 'must have 6 digits' } }) code!: string;
}
