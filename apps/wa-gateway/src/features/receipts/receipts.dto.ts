import { Flag, Int, Nested, Text, Texts } from '@platform/validation';
import { DeviceReference } from '../registry/public';

const NUMBER = { trim: true, max: 64, description: 'person or group, in any usual form', example: '08123456789' };

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
export class MarkReadReply {
  @Text() message!: string;
  @Nested(() => MarkReadData) data!: MarkReadData;
}
export class TypingData {
  @Text() number!: string;
  @Flag() on!: boolean;
}
export class TypingReply {
  @Text() message!: string;
  @Nested(() => TypingData) data!: TypingData;
}
