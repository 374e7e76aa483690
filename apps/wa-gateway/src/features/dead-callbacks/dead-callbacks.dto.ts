import { Flag, Int, List, Text } from '@platform/validation';
import { replyOf } from '../../reply';
import { DeviceReference } from '../registry/public';

export class DeadQuery extends DeviceReference {
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Text({ optional: true, pattern: /^\d{1,18}$/, description: 'next_cursor of the page before' }) cursor?: string;
}

export class DeadCallback {
  @Text({ format: 'uuid' }) event_id!: string;
  @Text() instanceID!: string;
  @Text({ description: 'the chat, as the callback names it' }) number!: string;
  @Flag({ description: 'a status update' }) report!: boolean;
  @Text({ optional: true }) status?: string;
  @Int({ description: 'tries that the receiver refused' }) attempts!: number;
  @Text({ nullable: true }) last_error!: string | null;
  @Text({ format: 'instant' }) dead_at!: string;
}
export class DeadPage {
  @List(() => DeadCallback) items!: DeadCallback[];
  @Text({ nullable: true, description: 'for the next page; null on the last one' }) next_cursor!: string | null;
}
export const DeadReply = replyOf('DeadReply', DeadPage);

export class ReplayDead extends DeviceReference {
  @Text({ optional: true, format: 'uuid', description: 'this one; or those of a device' }) event_id?: string;
  @Text({ optional: true, format: 'instant', description: 'of a device: what was written from this moment on' })
  since?: string;
}
export class ReplayedData {
  @Int({ description: 'callbacks that are on their way again' }) replayed!: number;
}
export const ReplayedReply = replyOf('ReplayedReply', ReplayedData);
