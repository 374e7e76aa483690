import { InvalidInput } from '@platform/errors';
import { parse } from '@platform/validation';
import type { OutContent } from '../../engines/engine.types';
import { SendData } from '../messages/public';

const NOTHING_TO_SEND = { field: 'text', tag: 'required', message: 'text is required' };
const wrong = (field: string) => ({ field, tag: 'format', message: `${field} is not valid` });

/** The content that the fields describe; nothing when they describe none or several. */
const contentOf = ({ text, poll, reaction }: SendData): OutContent | undefined => {
  if ([text, poll, reaction].filter((given) => given !== undefined).length !== 1) return undefined;
  if (poll) return { kind: 'poll', name: poll.name, options: poll.options, selectable: poll.selectable ?? 1 };
  if (reaction) return { kind: 'reaction', ...reaction };
  return { kind: 'text', text: text ?? '' };
};

/** WhatsApp shows no poll with duplicate options, or with more choices than options. */
const contradiction = ({ poll }: SendData): string | undefined => {
  if (!poll) return undefined;
  if (new Set(poll.options).size < poll.options.length) return 'poll.options';
  return (poll.selectable ?? 1) > poll.options.length ? 'poll.selectable' : undefined;
};

/** `data` of a send-message with a number (design 2.2). Throws InvalidInput with every field that is wrong. */
export const readSend = (data: Record<string, unknown>): { value: SendData; content: OutContent } => {
  const { value, violations } = parse(SendData, data);
  if (!value) throw new InvalidInput(violations);
  const content = contentOf(value);
  if (!content) throw new InvalidInput([NOTHING_TO_SEND]);
  const field = contradiction(value);
  if (field) throw new InvalidInput([wrong(field)]);
  return { value, content };
};
