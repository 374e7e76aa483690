import type { Caller } from '../../../abilities';
import { refusals } from '../../../refusals';

/**
 * "Without chat.all a member sees only the contacts of their own chats" (design 3.7). Whose chat a number is only chat-backend
 * knows, which does not tell it yet: until it does, such a member is refused rather than shown everybody. Throws `Forbidden`.
 */
export const ofAllChats = <Input extends { readonly caller: Caller }>(input: Input): Input => {
  const { kind, abilities } = input.caller;
  if (kind === 'user' && !abilities.has('chat.all')) throw refusals.abilityMissing('chat.all');
  return input;
};
