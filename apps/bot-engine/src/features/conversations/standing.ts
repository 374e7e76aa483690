import type { HandedOver } from './conversation.types';

/** What a message tells about the cycle of its chat. */
export interface Cycle {
  readonly episode?: number;
  readonly escalate?: '' | 'requested' | 'finished';
  /** Epoch milliseconds at which it came in. */
  readonly receivedAt: number;
}

/** `resumed`: the bot has just been given its part back, and what was said before is over. */
export type Standing = 'active' | 'silent' | 'resumed';

const isNewEpisode = ({ episode }: HandedOver, message: Cycle): boolean =>
  episode !== null && message.episode !== undefined && message.episode > episode;

/** A flag from before chat-backend was told of this hand-over is that of an earlier one. */
const isFinished = ({ toldAt }: HandedOver, { escalate, receivedAt }: Cycle): boolean =>
  escalate === 'finished' && toldAt !== null && receivedAt > toldAt.getTime();

/**
 * Whether the bot speaks (design 3.6). It is given its part back by a new episode, by a person who finished, or by time; never
 * because the customer wrote.
 */
export const standing = (handedOver: HandedOver | undefined, messages: readonly Cycle[], now: Date): Standing => {
  if (!handedOver) return 'active';
  const { resumeAt } = handedOver;
  const isBack =
    (resumeAt !== null && resumeAt <= now) ||
    messages.some((message) => isNewEpisode(handedOver, message) || isFinished(handedOver, message));
  return isBack ? 'resumed' : 'silent';
};
