import { LONGEST_ADDRESS } from '@platform/contracts';
import { Choice, Int, Json, Text } from '@platform/validation';
import { replyOf } from '../../reply';

const INSTANCE = { pattern: /^[A-Za-z0-9._-]{1,64}$/, trim: true, example: 'toko-1' };
const TEAM = { pattern: /^[\w.-]{1,64}$/, trim: true, example: '3' };
const NOHP = { trim: true, max: LONGEST_ADDRESS, example: '628123456789' };

export class PushNotif {
  @Text({ ...TEAM, optional: true, description: 'for clients of this team' }) team?: string;
  @Text({ ...INSTANCE, optional: true, description: 'for clients of this device' }) instance?: string;
  @Text({ trim: true, max: 256, example: 'Pesan baru' }) title!: string;
  @Text({ trim: true, max: 4_096, example: 'Budi menulis' }) message!: string;
  @Json({ optional: true, description: 'object; goes to clients as it is' }) data?: object;
}

export class UpdateChatlist {
  @Text(INSTANCE) instance!: string;
  @Text(NOHP) nohp!: string;
  @Text({ ...TEAM, optional: true }) team?: string;
  @Json({ optional: true, description: 'object; goes to clients as it is' }) data?: object;
}

export class UpdateTeamchat {
  @Text(TEAM) team!: string;
  @Json({ description: 'object; goes to clients as it is', example: { unread_chat: 4 } }) data!: object;
}

export class SubmitPixel {
  @Text({ trim: true, max: 64, example: '1234567890' }) pixel_id!: string;
  @Text({ trim: true, max: 64, example: 'Purchase' }) event_name!: string;
  @Text({ trim: true, max: 128, optional: true }) event_id?: string;
  @Text({ ...NOHP, optional: true }) nohp?: string;
  @Json({ optional: true, description: 'object; goes to clients as it is' }) data?: object;
}

export const realtimeOnly = ['pushNotif', 'updateChatlist', 'updateTeamchat', 'submitPixel'] as const;
export type RealtimeOnly = (typeof realtimeOnly)[number];

export class PublishedData {
  @Choice(realtimeOnly) event!: RealtimeOnly;
  @Int({ description: 'sockets reached over all replicas' }) clients!: number;
}
export const PublishedReply = replyOf('PublishedReply', PublishedData);
