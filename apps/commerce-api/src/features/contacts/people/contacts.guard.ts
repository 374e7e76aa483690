import type { Caller } from '../../../abilities';
import { refusals } from '../../../refusals';

/**
 * "Without chat.all a member sees only the contacts of their own chats" (design 3.7). Such a member, and an API token of theirs, is refused
 * rather than shown everybody (ADR 72). Throws `Forbidden`.
 */
export const ofAllChats = <Input extends { readonly caller: Caller }>(input: Input): Input => {
  if (input.caller.sight) throw refusals.abilityMissing('chat.all');
  return input;
};
