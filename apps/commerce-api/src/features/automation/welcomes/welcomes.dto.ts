import { Flag, Int, Text, clearing } from '@platform/validation';
import { Seen } from '../../../web/seen';

/** Ids of bot-engine. */
const AGENT = { max: 36, pattern: /^[\w-]+$/ } as const;
const ONCE = 'A customer is welcomed again after so many hours; 0: whenever a new conversation begins';

class WelcomeFields {
  @Flag({ optional: true }) enabled?: boolean;
  @Text({ optional: true, max: 1000, trim: true }) text?: string;
  @Text({ optional: true, ...AGENT, description: 'AI agent in whose name it is' }) agent_id?: string;
  @Int({ optional: true, min: 0, max: 8_760, description: ONCE }) once_per_hours?: number;
}

export class WelcomeChange extends clearing(WelcomeFields, { agent_id: null, text: '', once_per_hours: 0 }) {}

/** The form of it. */
export class WelcomeEdit extends WelcomeChange {
  @Seen() seen!: string;
}

export class Welcome {
  @Flag() enabled!: boolean;
  @Text({ keepEmpty: true }) text!: string;
  @Text({ nullable: true }) agent_id!: string | null;
  @Int({ description: ONCE }) once_per_hours!: number;
}

export class WelcomeWish {
  @Text(AGENT) agent_id!: string;
  @Text({ optional: true, max: 40, trim: true, description: 'How it is to sound' }) tone?: string;
}

export class MadeWelcome {
  @Text() welcome_message!: string;
  @Text({ description: 'Dollars with six decimals' }) cost_request!: string;
}
