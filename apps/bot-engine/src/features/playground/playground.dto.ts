import { Int, List, Nested, Text } from '@platform/validation';

/** Ids go into keys and database columns: no control characters. */
const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };
/** Something is said, not only blanks. */
const WORDS = { dropNul: true, pattern: /\S/, mismatch: { tag: 'required', text: 'is a required field' } };

export class TestedLine {
  @Text({
    max: 64,
    dropNul: true,
    description: 'assistant, bot and ai are the bot, system the prompt, all others the customer',
  })
  role!: string;
  @Text({ max: 4000, dropNul: true }) content!: string;
}

/** Request of `POST /api/ai-agent-testing` (design 2.3). */
export class PlaygroundRequest {
  @Text({ ...ID, example: '7' }) store_id!: string;
  @Text({ ...ID, example: '3' }) agent_id!: string;
  @Text({ max: 8000, ...WORDS, description: 'The system prompt to try' }) prompt!: string;
  @Text({ max: 4000, ...WORDS }) question!: string;
  @List(() => TestedLine, { optional: true, max: 50, description: 'What was said before' })
  conversations?: TestedLine[];
}

export class PlaygroundData {
  @Text() question!: string;
  @Text() answer!: string;
  @List(() => TestedLine, { description: 'conversations with the question and the answer' }) history!: TestedLine[];
}

/** Contract: exactly these members. */
export class PlaygroundReply {
  @Int({ example: 201 }) statusCode!: number;
  @Text() idAgent!: string;
  @Text() idStore!: string;
  @Nested(() => PlaygroundData) data!: PlaygroundData;
}
