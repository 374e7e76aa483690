import { Text } from '@platform/validation';

export class Resent {
  @Text({ description: 'The number or the address of the buyer' }) sent_to!: string;
  @Text({ format: 'instant', description: 'Until when the new link works' }) expires_at!: string;
}
