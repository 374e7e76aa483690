import { isUniqueViolation, type Database } from '@platform/data';
import type { HistoryLine } from '../loop/public';
import { NO_FACTS, type ConversationFacts } from '../tools/public';
import { COMMIT, STEP } from './commit.sql';
import { commitValues, conversationValues, stepValues } from './commit.values';
import type { CommittedRun, Conversations, HandedOver, Opened, Replay, StoredFacts } from './conversation.types';
import { ANSWERED, OPEN } from './open.sql';

interface OpenRow {
  id: string;
  facts: StoredFacts;
  is_old: boolean;
  since_seq: string | null;
  instance_id: string | null;
  chat_id: string | null;
  team: string | null;
  handover_at: Date | null;
  handover_reason: string | null;
  handover_episode: number | null;
  resume_at: Date | null;
  told_at: Date | null;
  lines: HistoryLine[];
  any: boolean;
  answered: string[];
}

interface AnsweredRow {
  runs: CommittedRun[];
  lines: HistoryLine[];
}

/** A conversation that is not stored yet: its key as a UUID, so that steps and quotes can name it before the commit. */
const idOfKey = (key: string): string => key.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const handedOverOf = (row: OpenRow): HandedOver | undefined =>
  row.handover_at === null
    ? undefined
    : {
        reason: row.handover_reason ?? '',
        episode: row.handover_episode,
        resumeAt: row.resume_at,
        toldAt: row.told_at,
      };

/** Prices of another day are to be asked again before they are told again. */
const factsOf = ({ facts: kept, is_old: isOld }: OpenRow): ConversationFacts => {
  const { quote, ...told } = kept;
  const facts: ConversationFacts = { ...NO_FACTS, ...(told as Partial<ConversationFacts>), ...(quote && { quote }) };
  if (!isOld) return facts;
  return { ...facts, amounts: [], products: facts.products.map((product) => ({ ...product, price: null })) };
};

const openedOf = (row: OpenRow): Opened => ({
  id: row.id,
  isNew: !row.any,
  lines: row.lines,
  facts: factsOf(row),
  storedFacts: row.facts,
  handedOver: handedOverOf(row),
  sinceSeq: row.since_seq === null ? undefined : Number(row.since_seq),
  answered: row.answered,
  address: {
    instanceId: row.instance_id ?? undefined,
    chatId: row.chat_id ?? undefined,
    team: row.team ?? undefined,
  },
});

const CONVERSATION_KEYS = ['bot_conversations_pkey', 'bot_conversations_customer', 'bot_conversations_key'];
const TRIES = 3;

/** A new conversation has three unique keys: two that begin it at once can meet at any of them, and the second finds it then. */
const untilItStands = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      const isMet = CONVERSATION_KEYS.some((key) => isUniqueViolation(error, key));
      if (!isMet || tries === TRIES) throw error;
    }
};

export const conversationRepository = (database: Database): Conversations => ({
  open: async ({ storeId, key, chat, chatId, instanceId }, messageIds) => {
    const values = [storeId, key, messageIds, chat, chatId, instanceId];
    const [row] = await database.prepared<OpenRow>('bot_open', OPEN, values);
    return row
      ? openedOf(row)
      : { id: idOfKey(key), isNew: true, lines: [], facts: NO_FACTS, answered: [], address: {} };
  },
  step: async (conversation, run, { n, record }) => {
    const { id, leadToken, agentVersion } = run;
    const values = [...conversationValues(conversation), id, leadToken, agentVersion, n, ...stepValues(record)];
    await untilItStands(() => database.prepared('bot_step', STEP, values));
  },
  commit: async (turn) => {
    const values = commitValues(turn);
    try {
      await untilItStands(() => database.prepared('bot_commit', COMMIT, values));
      return true;
    } catch (error) {
      if (isUniqueViolation(error, 'bot_messages_once')) return false;
      throw error;
    }
  },
  answered: async ({ storeId, key }, messageIds, leadToken): Promise<Replay | undefined> => {
    const values = [storeId, key, messageIds, leadToken];
    const [row] = await database.prepared<AnsweredRow>('bot_answered', ANSWERED, values);
    return row && row.runs.length > 0 ? row : undefined;
  },
});
