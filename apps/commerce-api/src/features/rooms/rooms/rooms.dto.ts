import { Int, List, Text, Texts } from '@platform/validation';
import { PageQuery } from '../../../paging';

export class RoomsQuery extends PageQuery {}

export class NewRoom {
  @Text({ max: 60, trim: true }) name!: string;
  @Texts({ min: 1, max: 100, maxLength: 36, description: 'Active members; whoever opens the room is in it anyway' })
  user_ids!: string[];
}

export class RoomMember {
  @Text({ format: 'uuid' }) user_id!: string;
  @Text({ nullable: true }) name!: string | null;
}

export class Room {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @List(() => RoomMember) members!: RoomMember[];
  @Text({ format: 'instant' }) created_at!: string;
}

export class MessagesQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
}

export class NewMessage {
  @Text({ max: 4_000, visible: true, trim: true }) text!: string;
  @Text({ optional: true, format: 'uuid', description: 'An upload of purpose `message`' }) media_id?: string;
}
