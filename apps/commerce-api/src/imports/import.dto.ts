import { Choice, Flag, Int, Json, List, Nested, Text } from '@platform/validation';

export const jobStates = ['queued', 'running', 'preview', 'done', 'failed', 'cancelled'] as const;
export const importModes = ['create', 'upsert'] as const;
export type ImportMode = (typeof importModes)[number];

export class ImportBody {
  @Choice(importModes, { optional: true, description: 'With a file; `create` unless given' }) mode?: ImportMode;
  @Text({ optional: true, format: 'uuid', description: 'A preview, to commit it' }) job_id?: string;
  @Flag({ optional: true, description: '`true` with `job_id`' }) commit?: boolean;
}

export class Progress {
  @Int() done!: number;
  @Int() total!: number;
}

export class RowError {
  @Int({ description: 'As a spreadsheet counts: the header is row 1' }) row!: number;
  @Text() field!: string;
  @Text() message!: string;
}

/** The same as it is kept: by its rule a page says it in the language of who reads it; what was kept earlier has none. */
export interface RowFault extends RowError {
  readonly tag?: string | undefined;
  readonly about?: string | undefined;
}

/** Work that a person has started and watches. */
export class Job {
  @Text({ format: 'uuid' }) id!: string;
  @Text() kind!: string;
  @Choice(jobStates) state!: (typeof jobStates)[number];
  @Nested(() => Progress) progress!: Progress;
  @List(() => RowError, { description: 'At most 500' }) errors!: RowError[];
  @Json({ nullable: true, description: 'How many were created, updated, left as they were, and failed' })
  result!: object | null;
  @Text({ format: 'instant' }) created_at!: string;
}
