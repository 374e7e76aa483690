import { Flag, Int, Text, Texts } from '@platform/validation';
import { replyOf } from '../../reply';
import { ADDRESS, DeviceReference } from '../registry/public';

const NUMBER = { ...ADDRESS, example: '08123456789' };

export class MarkRead extends DeviceReference {
  @Text(NUMBER) number!: string;
  @Texts({
    optional: true,
    max: 100,
    maxLength: 128,
    description: 'ids of messages of this chat; all that are not marked yet when left out',
  })
  ids?: string[];
}
export class Typing extends DeviceReference {
  @Text(NUMBER) number!: string;
  @Flag() on!: boolean;
}

export class MarkReadData {
  @Text() number!: string;
  @Int({ description: 'messages marked' }) count!: number;
}
export const MarkReadReply = replyOf('MarkReadReply', MarkReadData);
export class TypingData {
  @Text() number!: string;
  @Flag() on!: boolean;
}
export const TypingReply = replyOf('TypingReply', TypingData);
