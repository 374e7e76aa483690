import { InvalidInput, TooLarge } from '@platform/errors';
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

/** The content of an automatic answer with its file, which may be one of our own services'. */
export const fetched = async (intake: MediaIntake, content: Content): Promise<[Content, OutgoingFile | null]> => {
  if (!content.file) return [content, null];
  try {
    return [content, await intake.copy(content.file)];
  } catch (failure) {
    if (!isOfNoUse(failure)) throw failure;
    return [asAddress(content), null];
  }
};

export const bubbleMessage = async (intake: MediaIntake, { id, content: wanted }: Bubble): Promise<OutboundMessage> => {
  const [content, media] = await fetched(intake, wanted);
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
