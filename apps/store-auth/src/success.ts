import { Choice, Text } from '@platform/validation';

/** What every answer that is no token check begins with; `data` follows. */
export class SuccessReply {
  @Choice(['success']) status!: 'success';
  @Text() message!: string;
}

export const success = <Data>(message: string, data: Data) => ({ status: 'success' as const, message, data });
