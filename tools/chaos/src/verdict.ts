import type { ChaosStack } from './chaos-stack';
import { agentText, customerText, phoneOf } from './people';

/** What is wrong with a run, one sentence per finding; empty when every promise was kept. */
export type Findings = readonly string[];

export interface Expected {
  readonly chats: number;
  readonly messagesPerChat: number;
  readonly repliesPerChat: number;
}

/** How the arrived messages differ from the sent ones. */
export interface Differences {
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** Arrived without having been sent. */
  readonly strange: readonly string[];
  readonly inOrder: boolean;
}

export const differences = (arrived: readonly string[], sent: readonly string[]): Differences => {
  const seen = new Set(arrived);
  const place = new Map(sent.map((text, at) => [text, at]));
  const known = arrived.flatMap((text) => place.get(text) ?? []);
  return {
    lost: sent.filter((text) => !seen.has(text)),
    twice: arrived.filter((text, at) => arrived.indexOf(text) !== at),
    strange: [...seen].filter((text) => !place.has(text)),
    inOrder: known.every((at, n) => n === 0 || (known[n - 1] ?? 0) <= at),
  };
};

export const sentencesOf = (where: string, { lost, twice, strange, inOrder }: Differences): string[] => [
  ...(lost.length > 0 ? [`${where}: ${lost.length} lost, the first is "${lost[0]}"`] : []),
  ...(twice.length > 0 ? [`${where}: ${twice.length} more than once, the first is "${twice[0]}"`] : []),
  ...(strange.length > 0 ? [`${where}: ${strange.length} that nobody sent, the first is "${strange[0]}"`] : []),
  ...(inOrder ? [] : [`${where}: not in the order in which they were sent`]),
];

export const compare = (where: string, arrived: readonly string[], sent: readonly string[]): string[] =>
  sentencesOf(where, differences(arrived, sent));

interface ChatRow {
  readonly nohp: string;
  readonly inbound: string[];
  readonly messages: number;
  readonly lowest: number;
  readonly highest: number;
  readonly last: number;
  readonly unread: number;
}

const CHATS = `
  SELECT c.nohp, c.last_seq AS last, c.unread_count AS unread, count(*)::int AS messages, min(m.seq) AS lowest, max(m.seq) AS highest,
    coalesce(array_agg(m.pesan ORDER BY m.seq) FILTER (WHERE NOT m.from_me), '{}') AS inbound
  FROM chat_backend.conversations c JOIN chat_backend.messages m ON m.store_id = c.store_id AND m.conversation_id = c.id
  GROUP BY c.store_id, c.id`;

const PHONES = `
  SELECT phone, array_agg(content->>'text' ORDER BY seq) AS shown
  FROM wa_gateway.sim_message WHERE direction = 'out' AND level >= 2 GROUP BY phone`;

const sequence = (length: number, text: (n: number) => string): string[] => Array.from({ length }, (_, n) => text(n));

const chatFindings = (chat: number, row: ChatRow | undefined, expected: Expected): string[] => {
  const where = `chat of ${phoneOf(chat)}`;
  const sent = sequence(expected.messagesPerChat, (n) => customerText(chat, n));
  if (!row) return [`${where}: not there`];
  const { inbound, messages, lowest, highest, last, unread } = row;
  const all = sent.length + expected.repliesPerChat;
  const dense = lowest === 1 && highest === messages && last === messages;
  return [
    ...compare(where, inbound, sent),
    ...(dense ? [] : [`${where}: ${messages} messages are numbered ${lowest} to ${highest}, the last is ${last}`]),
    ...(messages === all ? [] : [`${where}: ${messages} messages instead of ${all}`]),
    ...(unread === sent.length ? [] : [`${where}: ${unread} unread instead of ${sent.length}`]),
  ];
};

/** Checks both databases: customers' messages in the inbox, agents' answers on the phones. */
export const verdictOf = async ({ database }: ChaosStack, expected: Expected): Promise<Findings> => {
  const chats = new Map((await database.query<ChatRow>(CHATS)).map((row) => [row.nohp, row]));
  const phones = new Map(
    (await database.query<{ phone: string; shown: string[] }>(PHONES)).map(({ phone, shown }) => [phone, shown]),
  );
  return Array.from({ length: expected.chats }, (_, chat) => [
    ...chatFindings(chat, chats.get(phoneOf(chat)), expected),
    ...compare(
      `phone ${phoneOf(chat)}`,
      phones.get(phoneOf(chat)) ?? [],
      sequence(expected.repliesPerChat, (n) => agentText(chat, n)),
    ),
  ]).flat();
};

export interface Progress {
  readonly stored: number;
  readonly shown: number;
  /** Rows in both outboxes that are not delivered yet. */
  readonly waiting: number;
}

export const progressOf = async ({ database }: ChaosStack): Promise<Progress> => {
  const [row] = await database.query<Progress>(`SELECT
    (SELECT count(*) FROM chat_backend.messages WHERE NOT from_me)::int AS stored,
    (SELECT count(*) FROM wa_gateway.sim_message WHERE direction = 'out' AND level >= 2)::int AS shown,
    (SELECT count(*) FROM chat_backend.outbox_row WHERE state IN ('queued', 'blocked'))::int + (SELECT count(*) FROM wa_gateway.outbox_row WHERE state IN ('queued', 'blocked'))::int AS waiting`);
  if (!row) throw new Error('no progress to read');
  return row;
};
