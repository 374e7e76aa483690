import { LONGEST_ADDRESS } from '@platform/contracts';
import { parameter } from '@platform/http';

/** A conversation in chat-backend's names: all of them are asked for with every call. */
export interface ConversationRef {
  readonly instance: string;
  readonly nohp: string;
  readonly team: string;
  /** Begins with the id of its store. */
  readonly chatId: string;
}

const LONGEST = 600;
/** What chat-backend takes of each. */
const LIMITS = [64, LONGEST_ADDRESS, 36, 80];

const encoded = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

export const conversationIdOf = ({ instance, nohp, team, chatId }: ConversationRef): string =>
  encoded([instance, nohp, team, chatId]);

const isPart = (part: unknown, limit: number): boolean =>
  typeof part === 'string' && part.length > 0 && part.length <= limit && !/[\p{Cc}\p{Cs}]/u.test(part);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Undefined for a text that was not made by `conversationIdOf`. */
export const conversationOf = (id: string): ConversationRef | undefined => {
  const parts = parsed(Buffer.from(id, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== LIMITS.length) return undefined;
  if (!LIMITS.every((limit, at) => isPart(parts[at], limit)) || encoded(parts as string[]) !== id) return undefined;
  const [instance, nohp, team, chatId] = parts as [string, string, string, string];
  return { instance, nohp, team, chatId };
};

export const conversationId = parameter({ type: 'string', minLength: 1, maxLength: LONGEST }, (raw) =>
  raw.length <= LONGEST ? conversationOf(raw) : undefined,
);

/** The same as a text, for who shows it again. */
export const conversationText = parameter({ type: 'string', minLength: 1, maxLength: LONGEST }, (raw) =>
  raw.length <= LONGEST && conversationOf(raw) ? raw : undefined,
);
