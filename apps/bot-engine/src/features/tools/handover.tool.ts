import { Choice, Text } from '@platform/validation';
import { handoverReasons, type HandoverReason, type Tool } from './tool.types';

export class HandoverArguments {
  @Choice(handoverReasons) reason!: HandoverReason;
  @Text({ min: 1, max: 300, description: 'what the customer wants and what was found so far' })
  summary!: string;
}

/** Ends the bot's part. Nothing is sent here: whoever commits the turn tells the people (design 3.6). */
export const handover = (): Tool<HandoverArguments> => ({
  name: 'handover_to_human',
  description: 'Hands the conversation over to a person of the shop. Ends your part.',
  args: HandoverArguments,
  kind: 'write',
  timeoutMs: 1_000,
  run: () => Promise.resolve({ result: { status: 'handed_over' } }),
});
