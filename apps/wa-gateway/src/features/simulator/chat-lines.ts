import { deliveryStatusOf } from '@platform/contracts';
import type { ConversationLine, Held, SentContent } from '../../engines/simulator/simulator.store';
import type { ChatLine } from './simulator.dto';

type Words = Pick<ChatLine, 'kind' | 'text' | 'file'>;

const ON_THE_SERVER = 1;

const placeOf = ({ name, latitude, longitude }: { name?: string; latitude: unknown; longitude: unknown }): string =>
  [name, `${String(latitude)}, ${String(longitude)}`].filter(Boolean).join(' · ');

const sentWords = (content: SentContent): Words => {
  if ('media' in content) return { kind: content.kind, text: content.caption ?? null, file: content.media.key };
  switch (content.kind) {
    case 'text':
      return { kind: 'text', text: content.text, file: null };
    case 'location':
      return { kind: 'location', text: placeOf(content), file: null };
    case 'reaction':
      return { kind: 'reaction', text: content.emoji, file: null };
    case 'poll':
      return {
        kind: 'poll',
        text: [content.name, ...content.options.map((option) => `○ ${option}`)].join('\n'),
        file: null,
      };
    default:
      return { kind: 'contact', text: content.name, file: null };
  }
};

const heldWords = (held: Held): Words | undefined => {
  if ('reaction' in held) return { kind: 'reaction', text: held.reaction.emoji, file: null };
  if (!('message' in held)) return undefined;
  const { kind, text, caption, media, location } = held.message;
  if (media) return { kind, text: caption ?? null, file: media.fileName ?? kind };
  if (location) return { kind: 'location', text: placeOf(location), file: null };
  return { kind: 'text', text: text ?? '', file: null };
};

/** One bubble of the phone; nothing for what a phone does not show, such as a vote. */
export const chatLineOf = (line: ConversationLine): ChatLine[] => {
  const words = line.direction === 'in' ? heldWords(line.content) : sentWords(line.content);
  if (!words) return [];
  return [
    {
      id: line.id,
      mine: line.direction === 'in',
      group: line.chat.endsWith('@g.us') ? line.chat : null,
      ...words,
      // What a phone wrote is on the server at once
      status: deliveryStatusOf(Math.max(line.level, ON_THE_SERVER)),
      timestamp: Math.floor(line.at.getTime() / 1000),
    },
  ];
};
