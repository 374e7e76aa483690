import { LONGEST_ADDRESS } from '@platform/contracts';
import { Int, Text } from '@platform/validation';

/** Request of `POST /api/notify-new-message` (design 2.5); other fields are dropped. */
export class NoticeRequest {
  @Text({ max: 64 }) idStore!: string;
  @Text({ max: LONGEST_ADDRESS }) idUser!: string;
  @Text({ max: 128 }) idMessage!: string;
  @Text({ optional: true, max: 128 }) instanceID?: string;
  @Text({ optional: true, max: 128 }) chatId?: string;
  @Text({ optional: true, max: 32 }) type?: string;
  @Int({ optional: true, min: 0 }) timestamp?: number;
}
