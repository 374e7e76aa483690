import { isUniqueViolation, type Database } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { PricedAttempt } from '../model/public';
import { COMMIT, OPEN } from './conversation.sql';
import type { CustomerMessage, Line } from './customer.message';

/** What the caller gets for a message, and for every repeat of it. */
export interface StoredReply {
  readonly answer: readonly string[];
  readonly images: readonly string[];
  /** One per bubble, then one per picture: outbound ids that make a repeated sending harmless. */
  readonly messageIds: readonly string[];
}

export interface CommittedRun {
  readonly id: string;
  readonly status: 'done' | 'fallback';
  readonly reply: StoredReply;
  readonly costMicros: number;
}

export interface Opened {
  readonly run?: CommittedRun;
  /** The last 20 lines; with `run`, those up to its answer. */
  readonly lines: readonly Line[];
  /** No conversation yet. */
  readonly isNew: boolean;
}

export interface FinishedRun extends CommittedRun {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly ms: { readonly queue: number; readonly model: number; readonly total: number };
  readonly agentVersion: number;
  /** Lines to store before this turn if the conversation is new. */
  readonly seed: readonly Line[];
  readonly attempts: readonly PricedAttempt[];
}

export interface Conversations {
  open(message: CustomerMessage): Promise<Opened>;
  /** Stores the turn. False, and nothing is stored, when another run has answered this message. */
  commit(message: CustomerMessage, run: FinishedRun): Promise<boolean>;
}

interface OpenRow {
  run_id: string | null;
  status: CommittedRun['status'];
  reply: StoredReply;
  cost_micros: string;
  lines: Line[];
}

const linesOf = ({ content, images, messageId }: CustomerMessage, { seed, reply }: FinishedRun) => [
  ...seed.map((line) => ({ ...line, seed: true })),
  { role: 'user', content, images, id_message: messageId, seed: false },
  { role: 'assistant', content: reply.answer.join('\n\n'), images: reply.images, seed: false },
];

const runOf = ({ id, status, reply, tokensIn, tokensOut, costMicros, ms, agentVersion }: FinishedRun) => ({
  id,
  status,
  reply,
  tokens_in: tokensIn,
  tokens_out: tokensOut,
  cost_micros: costMicros,
  ms_queue: ms.queue,
  ms_model: ms.model,
  ms_total: ms.total,
  agent_version: agentVersion,
});

const requestOf = ({ provider, model, status, reply, costMicros, ms, httpStatus, requestId }: PricedAttempt) => ({
  id: uuidv7(),
  provider,
  model,
  status,
  tokens_in: reply?.usage?.in ?? 0,
  tokens_cached: reply?.usage?.cached ?? 0,
  tokens_out: reply?.usage?.out ?? 0,
  cost_micros: costMicros,
  ms,
  http_status: httpStatus,
  request_id: requestId,
});

export const conversationRepository = (database: Database): Conversations => ({
  open: async ({ storeId, conversationKey, messageId }) => {
    const [row] = await database.prepared<OpenRow>('bot_open', OPEN, [storeId, conversationKey, messageId]);
    if (!row) return { lines: [], isNew: true };
    const { run_id: id, status, reply, cost_micros: cost, lines } = row;
    return { run: id ? { id, status, reply, costMicros: Number(cost) } : undefined, lines, isNew: false };
  },
  commit: async (message, run) => {
    const { storeId, agentId, customer, conversationKey, instanceId, chatId, team } = message;
    const conversation = [storeId, uuidv7(), agentId, customer, conversationKey, instanceId, chatId, team];
    const parts = [linesOf(message, run), runOf(run), run.attempts.map(requestOf)];
    try {
      await database.prepared('bot_commit', COMMIT, [...conversation, ...parts.map((part) => JSON.stringify(part))]);
      return true;
    } catch (error) {
      if (isUniqueViolation(error, 'bot_messages_once')) return false;
      throw error;
    }
  },
});
