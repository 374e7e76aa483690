import { Choice, Text } from '@platform/validation';

/** The beginning of every answer except token checks; `data` follows. */
export class SuccessReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
}

export const success = <Data>(message: string, data: Data) => ({ status: 'success' as const, message, data });
