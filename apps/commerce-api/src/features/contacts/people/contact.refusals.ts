import { Conflict, type Failure } from '@platform/errors';

export const contactRefusals = {
  phoneTaken: (): Failure => new Conflict('The number belongs to another contact', { code: 'phone_taken' }),
} as const;
