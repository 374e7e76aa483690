import { Choice, Int, List, Text } from '@platform/validation';

const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };

/** `POST /internal/test-sessions` (design 2.10): one question of a tester and what the agent said. */
export class Tried {
  @Text({ format: 'uuid', description: "The caller's: a session that is not there yet is opened" }) id!: string;
  @Text(ID) agent_id!: string;
  @Text({ max: 8000, description: 'That was tried' }) prompt!: string;
  @Text({ max: 4000 }) question!: string;
  @Text({ max: 16_000 }) answer!: string;
}

export class SessionsQuery {
  @Text({ optional: true, ...ID }) agent_id?: string;
  @Text({ optional: true, max: 1000 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100 }) limit?: number;
}

/** A row of the list. */
export class SessionRow {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Text({ description: 'Its first question, shortened' }) title!: string;
  @Int() lines!: number;
  @Text({ format: 'instant' }) updated_at!: string;
}

class TranscriptLine {
  @Choice(['user', 'assistant']) role!: 'user' | 'assistant';
  @Text() content!: string;
  @Text({ format: 'instant' }) at!: string;
}

export class SessionView extends SessionRow {
  @Text({ description: 'That was tried last' }) prompt!: string;
  @List(() => TranscriptLine) transcript!: TranscriptLine[];
}
