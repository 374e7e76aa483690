import { Text } from '@platform/validation';

const PIN = {
  pattern: /^[0-9]{6}$/,
  mismatch: { tag: 'pin', text: 'must be 6 digits' },
  description: '6 digits, neither all equal nor a run',
} as const;

export class NewPin {
  @Text(PIN) pin!: string;
  @Text({ max: 128, description: 'Of the login' }) password!: string;
}

export class PinChange {
  @Text({ ...PIN, description: '6 digits' }) current_pin!: string;
  @Text(PIN) pin!: string;
}

export class PinReset {
  @Text({ pattern: /^[0-9]{6}$/, mismatch: { tag: 'code', text: 'must be 6 digits' } }) code!: string;
  @Text(PIN) pin!: string;
}
