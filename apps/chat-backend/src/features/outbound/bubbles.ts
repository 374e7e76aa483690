import { InvalidInput, TooLarge } from '@platform/errors';
import { DownloadFailed } from '@platform/http';
import type { MediaIntake, OutgoingFile } from '../media/public';
import type { OutboundMessage } from './outbound.repository';
import { previewOf, type Content } from './send-kinds';

/** One message of an automatic answer, under an id that is the same however often the answer is made. */
export interface Bubble {
  readonly id: string;
  readonly content: Content;
}

/** A file that cannot be had, is private or of another kind: its address goes instead, so that the answer is not lost. */
const asAddress = ({ text, caption, file }: Content): Content => ({
  type: 'chat',
  text: [text ?? caption, file?.url].filter(Boolean).join('\n'),
});

const isOfNoUse = (failure: unknown): boolean => failure instanceof InvalidInput || failure instanceof TooLarge;
const mayPass = ({ cause }: Error): boolean => cause instanceof DownloadFailed && cause.mayPass;
/** Within about ten seconds: the answer outlives the restart of a host, and does not wait for one that stays away. */
const TRIES = 3;

/** The content of an automatic answer with its file, which may be one of our own services'. Throws when another try may get it. */
export const fetched = async (
  intake: MediaIntake,
  content: Content,
  attempt = TRIES,
): Promise<[Content, OutgoingFile | null]> => {
  if (!content.file) return [content, null];
  try {
    return [content, await intake.copy(content.file)];
  } catch (failure) {
    if (!isOfNoUse(failure) || (attempt < TRIES && mayPass(failure as Error))) throw failure;
    return [asAddress(content), null];
  }
};

const bubbleMessage = async (
  intake: MediaIntake,
  { id, content: wanted }: Bubble,
  attempt: number,
): Promise<OutboundMessage> => {
  const [content, media] = await fetched(intake, wanted, attempt);
  return {
    pesan_id: id,
    role: 'bot',
    user_id: null,
    type: content.type,
    pesan: content.text ?? null,
    caption: content.caption ?? null,
    media,
    detail: content.detail ?? null,
    quote: null,
    preview: previewOf(content),
  };
};

/** All of an answer or none: of one that is tried again no file stays behind. `attempt`: of the job, from 1. */
export const bubbleMessages = async (
  intake: MediaIntake,
  bubbles: readonly Bubble[],
  attempt: number,
): Promise<OutboundMessage[]> => {
  const made = await Promise.allSettled(bubbles.map((bubble) => bubbleMessage(intake, bubble, attempt)));
  const messages = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = made.find((one) => one.status === 'rejected');
  if (!failed) return messages;
  for (const { media } of messages) if (media) await intake.discard(media);
  throw failed.reason;
};
