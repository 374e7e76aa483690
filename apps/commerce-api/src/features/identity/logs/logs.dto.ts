import { Choice, Flag, Int, Json, List, Nested, Text } from '@platform/validation';
import { MOMENT } from '../../../moment';

export class LogsQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Text({ optional: true, max: 64 }) actor_id?: string;
  @Text({ optional: true, max: 64, description: 'The ability that was used, such as `team.manage`' }) action?: string;
  @Text({ optional: true, max: 64 }) subject_type?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
}

export class Actor {
  @Text() id!: string;
  @Text() name!: string;
  @Choice(['user', 'service', 'token', 'operator', 'system'])
  kind!: 'user' | 'service' | 'token' | 'operator' | 'system';
}

export class Subject {
  @Text() type!: string;
  @Text() id!: string;
}

/** The design's Audit (2.2). */
export class LogEntry {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'instant' }) at!: string;
  @Nested(() => Actor) actor!: Actor;
  @Text() action!: string;
  @Nested(() => Subject) subject!: Subject;
  @Json({ description: 'By field, what it was and what it became; secrets as `***`' }) diff!: object;
  @Text({ nullable: true }) ip!: string | null;
}

export class LoginsQuery {
  @Text({ optional: true, format: 'uuid', description: '`next_cursor` of the last answer' }) cursor?: string;
}

export class LoginEntry {
  @Text({ format: 'instant' }) at!: string;
  @Text({ nullable: true }) ip!: string | null;
  @Text({ nullable: true }) agent!: string | null;
  @Text({ description: 'What happened, such as `login` or `login_failed`' }) result!: string;
  @Flag({ description: 'Of the login that asks' }) session_current!: boolean;
}

export class LoginsMeta {
  @Text({ nullable: true }) next_cursor!: string | null;
}

export class LoginsAnswer {
  @List(() => LoginEntry) data!: LoginEntry[];
  @Nested(() => LoginsMeta) meta!: LoginsMeta;
}
