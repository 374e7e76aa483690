import { Flag, Int, Text } from '@platform/validation';
import type { CallbackPayload } from './callback-payload';

/**
 * The callback payload as a DTO: documentation, and the check of a new message (`report` false), for which the contract
 * requires `instanceID`, `result`, `report` and `number`. Give it what `readCallback` returns. A status update has its
 * own checks and texts (contract, errors of the chat backend).
 */
export class CallbackPayloadDto implements CallbackPayload {
  @Text({ description: 'device instance identifier', example: 'toko-1' }) instanceID!: string;
  @Flag({ words: true, description: 'must be true for processing', example: true }) result!: boolean;
  @Flag({ words: true, description: 'false = new message, true = status update', example: false }) report!: boolean;
  @Text({ optional: true, max: 65_536, description: 'message text', example: 'ada stok?' }) text?: string;
  @Text({
    description: 'sender number with a user suffix, or a group suffix for group chats',
    example: '628123456789@s.whatsapp.net',
  })
  number!: string;
  @Flag({ optional: true, words: true, description: 'message sent by the device itself' }) fromMe?: boolean;
  @Text({ optional: true, max: 128, description: 'message identifier; required on a status update', example: '3EB0A1' })
  id?: string;
  @Text({ optional: true, description: 'sender name', example: 'Budi' }) name?: string;
  @Int({ optional: true, words: true, description: 'gateway timestamp, epoch seconds', example: 1_795_180_010 })
  timestamp?: number;
  @Text({
    optional: true,
    max: 32,
    description: 'message kind: chat, image, video, document, audio, extendedtext',
    example: 'chat',
  })
  type?: string;
  @Text({ optional: true, description: 'for location messages' }) latitude?: string;
  @Text({ optional: true, description: 'for location messages' }) longitude?: string;
  @Text({ optional: true, description: 'media caption' }) caption?: string;
  @Text({ optional: true, description: 'link-preview matched text' }) matchedText?: string;
  @Text({ optional: true, description: 'quoted message' }) quoteMsg?: string;
  @Text({ optional: true, description: 'profile picture URL' }) profilepic?: string;
  @Text({ optional: true, description: 'participant name in a group' }) participantname?: string;
  @Text({ optional: true, description: 'raw message blob' }) rawMessage?: string;
  @Text({ optional: true }) locationAddress?: string;
  @Text({ optional: true }) locationName?: string;
  @Text({
    optional: true,
    description: 'new delivery status: sent, delivered, viewed, played; required on a status update',
  })
  status?: string;
}
