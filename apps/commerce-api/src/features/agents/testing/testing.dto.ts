import { Choice, Int, List, Text } from '@platform/validation';

class Said {
  @Choice(['user', 'assistant']) role!: 'user' | 'assistant';
  @Text({ max: 4000 }) content!: string;
}

export class Trial {
  @Text({ max: 64, pattern: /^[A-Za-z0-9][\w.:-]*$/ }) agent_id!: string;
  @Text({ max: 8000, trim: true }) prompt!: string;
  @Text({ max: 4000, trim: true }) question!: string;
  @List(() => Said, { optional: true, max: 50, description: 'What was said before' }) conversations?: Said[];
  @Text({ optional: true, format: 'uuid', description: 'A new one unless given' }) session_id?: string;
}

class SaidLine {
  @Text() role!: string;
  @Text() content!: string;
}

export class TrialAnswer {
  @Text() question!: string;
  @Text() answer!: string;
  @List(() => SaidLine, { description: 'What was said before, the question and the answer' }) history!: SaidLine[];
  @Text({ nullable: true, description: 'Null when it could not be saved' }) session_id!: string | null;
}

export class TrialsQuery {
  @Text({ optional: true, max: 64 }) agent_id?: string;
  @Text({ optional: true, max: 1000 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 100 }) limit?: number;
}

export class TrialRow {
  @Text() id!: string;
  @Text() agent_id!: string;
  @Text({ description: 'Its first question, shortened' }) title!: string;
  @Int() lines!: number;
  @Text({ format: 'instant' }) updated_at!: string;
}

class TrialLine {
  @Choice(['user', 'assistant']) role!: 'user' | 'assistant';
  @Text() content!: string;
  @Text({ format: 'instant' }) at!: string;
}

export class TrialView extends TrialRow {
  @Text({ description: 'That was tried last' }) prompt!: string;
  @List(() => TrialLine) transcript!: TrialLine[];
}
