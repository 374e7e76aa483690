import { Choice, Int, Nested, Text } from '@platform/validation';

/** Ids go into keys and database columns: no control characters. */
const ID = { max: 64, pattern: /^[^\p{Cc}\p{Cs}]+$/u };

export const languages = ['id', 'en'] as const;

/** Request of `POST /api/generate_welcome` (design 2.4). */
export class WelcomeRequest {
  @Text({ ...ID, example: '7' }) store_id!: string;
  @Text({ ...ID, example: '3' }) agent_id!: string;
  @Text({ optional: true, max: 60, dropNul: true }) customer_name?: string;
  @Choice(languages, { optional: true, description: 'id by default' }) language?: 'id' | 'en';
  @Text({ optional: true, max: 40, dropNul: true, example: 'ramah' }) tone?: string;
  @Int({ optional: true, min: 50, max: 1000, description: '300 by default' }) max_chars?: number;
}

export class WelcomeData {
  @Text() welcome_message!: string;
  @Text({ description: 'Dollars with six decimals', example: '$0.000156' }) cost_request!: string;
}

/** Contract: exactly these members. */
export class WelcomeReply {
  @Int({ example: 201 }) status!: number;
  @Text({ example: 'success' }) message!: string;
  @Nested(() => WelcomeData) data!: WelcomeData;
}
