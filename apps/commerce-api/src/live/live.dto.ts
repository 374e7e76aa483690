import { Choice, Int, Nested, Text } from '@platform/validation';
import { jobStates, type Job } from '../imports/import.dto';
import { noticeEvents, type NoticeEvent } from '../notice.types';

/** What a member is told. */
export class Note {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(noticeEvents) event!: NoticeEvent;
  @Text() title!: string;
  @Text() body!: string;
  @Text({ description: 'Path of the page where one sees more' }) url!: string;
  @Text({ nullable: true, format: 'instant' }) read_at!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

/** How far a job is that its user has begun. */
export class JobProgress {
  @Text({ format: 'uuid' }) job_id!: string;
  @Int() done!: number;
  @Int() total!: number;
  @Choice(jobStates) state!: Job['state'];
}

/** What a member has written to a room of the staff. */
export class StaffMessage {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) user_id!: string;
  @Text({ nullable: true, description: 'null: of whom there is no name here' }) name!: string | null;
  @Text() text!: string;
  @Text({ nullable: true, format: 'uuid' }) media_id!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class RoomMessage {
  @Text({ format: 'uuid' }) room_id!: string;
  @Nested(() => StaffMessage) message!: StaffMessage;
}
