import type { Database } from '@platform/data';
import type { ChatPlan } from './replica-plan';
import { differences, sentencesOf, type Differences } from './verdict';
import type { Watcher } from './watcher';

/** One path of messages: a row of the table. */
export interface Way {
  readonly name: string;
  readonly sent: number;
  readonly arrived: number;
  readonly lost: number;
  readonly twice: number;
  /** Chats whose messages arrived out of order. */
  readonly disordered: number;
}

export interface Verdict {
  readonly ways: readonly Way[];
  /** One sentence per broken promise. */
  readonly findings: readonly string[];
  /** Messages that were sent to WhatsApp again with the same id, which phones show once. */
  readonly repeatedUnderSameId: number;
}

/** A chat as stored by chat-backend. */
interface ChatRow {
  readonly phone: string;
  /** Ids of the customer's messages, in order. */
  readonly inbound: string[];
  /** Ids of the shop's messages, in order: our own, and WhatsApp's. */
  readonly outbound: string[];
  readonly waIds: (string | null)[];
  /** The sender of each message, in order; an answer of the bot belongs to the customer's last message before it. */
  readonly sides: ('customer' | 'shop')[];
  readonly last: number;
  readonly dense: boolean;
}

const CHATS = `
  SELECT c.nohp AS phone, c.last_seq AS last, count(*) = max(m.seq) AND min(m.seq) = 1 AND max(m.seq) = c.last_seq AS dense,
    coalesce(array_agg(m.pesan_id ORDER BY m.seq) FILTER (WHERE NOT m.from_me), '{}') AS inbound,
    coalesce(array_agg(m.pesan_id ORDER BY m.seq) FILTER (WHERE m.from_me), '{}') AS outbound,
    coalesce(array_agg(m.wa_id ORDER BY m.seq) FILTER (WHERE m.from_me), '{}') AS "waIds",
    array_agg(CASE WHEN m.from_me THEN 'shop' ELSE 'customer' END ORDER BY m.seq) AS sides
  FROM chat_backend.conversations c JOIN chat_backend.messages m ON m.store_id = c.store_id AND m.conversation_id = c.id
  GROUP BY c.store_id, c.id`;

const PHONES = `
  SELECT phone, array_agg(id ORDER BY seq) AS shown, sum(copies - 1)::int AS repeated
  FROM wa_gateway.sim_message WHERE direction = 'out' AND level >= 2 GROUP BY phone`;

interface Phone {
  readonly phone: string;
  readonly shown: string[];
  readonly repeated: number;
}

/** The result of one path of one chat. */
interface Part extends Differences {
  readonly where: string;
  readonly sent: number;
  readonly arrived: number;
}

const partOf = (where: string, arrived: readonly string[], sent: readonly string[]): Part => ({
  ...{ where, sent: sent.length, arrived: new Set(arrived).size },
  ...differences(arrived, sent),
});

const wayOf = (name: string, parts: readonly Part[]): Way => {
  const sum = (of: (part: Part) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    name,
    sent: sum(({ sent }) => sent),
    arrived: sum(({ arrived }) => arrived),
    lost: sum(({ lost }) => lost.length),
    twice: sum(({ twice, strange }) => twice.length + strange.length),
    disordered: parts.filter(({ inOrder }) => !inOrder).length,
  };
};

/** The bot's answers by question. */
const botAnswers = ({ outbound, sides }: ChatRow): string[][] => {
  const answers: string[][] = [];
  let next = 0;
  for (const side of sides) {
    if (side === 'customer') answers.push([]);
    else answers.at(-1)?.push(outbound[next++] ?? '');
  }
  return answers;
};

/** The run of the bot that a bubble or a picture is of. */
export const runOf = (id: string): string => id.replace(/(-img)?-\d+$/, '');

/** A question without an answer counts as lost; one with answers of two runs of the bot, as arrived twice. */
const botPart = (where: string, row: ChatRow, questions: readonly string[]): Part => {
  const answered = botAnswers(row).flatMap((ids, n) =>
    [...new Set(ids.map(runOf))].map(() => questions[n] ?? `question ${n}`),
  );
  return partOf(where, answered, questions);
};

export interface Sent {
  readonly chat: ChatPlan;
  /** Ids that the network gave the customer's messages. */
  readonly questions: readonly string[];
  readonly watcher: Watcher;
}

const emptyRow: ChatRow = { phone: '', inbound: [], outbound: [], waIds: [], sides: [], last: 0, dense: true };

const WAYS = {
  inbox: 'customers -> inbox',
  agent: 'agents -> chat-backend',
  bot: 'bot, per question',
  phone: 'chat-backend -> phones',
  socket: 'newMessage -> sockets',
};
type Parts = Readonly<Partial<Record<keyof typeof WAYS, Part>>>;

const partsOf = ({ chat, questions, watcher }: Sent, row: ChatRow, shown: readonly string[]): Parts => {
  const where = `chat of ${chat.phone}`;
  const answers = Array.from({ length: chat.turns }, (_, n) => chat.answerIdAt(n));
  const answered =
    chat.answeredBy === 'bot'
      ? { bot: botPart(`${where}, answers of the bot`, row, questions) }
      : { agent: partOf(`${where}, answers of the agent`, row.outbound, answers) };
  const onTheWay = row.waIds.map((id, n) => id ?? `${row.outbound[n]}, which has no id of WhatsApp,`);
  const numbers = Array.from({ length: row.last }, (_, n) => String(n + 1));
  const missing = new Set(watcher.missing(row.last).map(String));
  const seen = numbers.filter((seq) => !missing.has(seq));
  return {
    inbox: partOf(`${where}, inbox`, row.inbound, questions),
    ...answered,
    phone: partOf(`phone ${chat.phone}`, shown, onTheWay),
    socket: partOf(`socket of ${where}`, seen, numbers),
  };
};

/** Compares both ends, every message by its id in the order of its chat, and what agents' clients have seen. */
export const replicaVerdict = async (database: Pick<Database, 'query'>, all: readonly Sent[]): Promise<Verdict> => {
  const rows = new Map((await database.query<ChatRow>(CHATS)).map((row) => [row.phone, row]));
  const phones = new Map((await database.query<Phone>(PHONES)).map((row) => [row.phone, row]));
  const chats = all.map((sent) => {
    const { phone } = sent.chat;
    const row = rows.get(phone) ?? emptyRow;
    return { phone, row, parts: partsOf(sent, row, phones.get(phone)?.shown ?? []) };
  });
  const parts = chats.flatMap((chat) => Object.values(chat.parts));
  const gaps = chats.filter(({ row }) => !row.dense);
  return {
    ways: Object.entries(WAYS).map(([key, name]) =>
      wayOf(
        name,
        chats.flatMap((chat) => chat.parts[key as keyof typeof WAYS] ?? []),
      ),
    ),
    findings: [
      ...gaps.map(({ phone, row }) => `chat of ${phone}: its messages are not numbered 1 to ${row.last}`),
      ...parts.flatMap((part) => sentencesOf(part.where, part)),
    ],
    repeatedUnderSameId: [...phones.values()].reduce((sum, { repeated }) => sum + repeated, 0),
  };
};

/** How much has arrived at both ends, and how much is still in transit. */
export const replicaProgress = async (database: Database) => {
  const [row] = await database.query<{
    stored: number;
    shown: number;
    waiting: number;
    held: number;
    unnamed: number;
  }>(`SELECT
    (SELECT count(*) FROM chat_backend.messages)::int AS stored,
    (SELECT count(*) FROM wa_gateway.sim_message WHERE direction = 'out' AND level >= 2)::int AS shown,
    (SELECT count(*) FROM wa_gateway.sim_message WHERE direction = 'in' AND level = 0)::int AS held,
    (SELECT count(*) FROM chat_backend.messages WHERE from_me AND wa_id IS NULL)::int AS unnamed,
    (SELECT count(*) FROM chat_backend.outbox_row WHERE state IN ('queued', 'blocked'))::int + (SELECT count(*) FROM wa_gateway.outbox_row WHERE state IN ('queued', 'blocked'))::int AS waiting`);
  if (!row) throw new Error('no progress to read');
  return row;
};
