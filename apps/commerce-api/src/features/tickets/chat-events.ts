import { LONGEST_ADDRESS } from '@platform/contracts';
import type { Database, Sql } from '@platform/data';
import { endpoint } from '../../endpoint';
import type { Queue } from '../../jobs';
import { refusals } from '../../refusals';
import { conversationIdOf, conversationOf } from '../inbox/conversations/public';
import { byChat, tellChat } from '../notifications/pushes/public';
import { dataOf, type Endpoint } from '@platform/http';
import { Int, List, phoneDigits, Text, Texts } from '@platform/validation';
import type { Clock } from '@platform/runtime';

/** A click on a link has become a chat: what follows is marketing's, also to know it when it is told again. Whether it was news. */
export type LinkOpened = (
  tx: Sql,
  opened: {
    readonly storeId: string;
    readonly id: string;
    readonly code: string;
    readonly phone: string;
    readonly chatId: string;
    readonly at: Date;
  },
) => Promise<boolean>;

class ToldEvent {
  @Text({ max: 160, description: 'The same when it is told again' }) id!: string;
  @Text({ max: 40, description: '`ticket_resolved`, `link_opened`, `members_told`; any other changes nothing' })
  kind!: string;
  @Text({ max: LONGEST_ADDRESS }) nohp!: string;
  @Text({ optional: true, max: 80 }) ticketId?: string;
  @Text({ optional: true, nullable: true, max: 64 }) orderId?: string | null;
  @Text({ optional: true, max: 64 }) code?: string;
  @Text({ optional: true, max: 80 }) chatId?: string;
  @Text({ optional: true, max: 64 }) instance?: string;
  @Text({ optional: true, max: 36 }) team?: string;
  @Text({
    optional: true,
    max: 40,
    description: '`assigned`, `moved` or `help`: what was done with the chat; unless given its customer has written',
  })
  about?: string;
  @Text({
    optional: true,
    max: 36,
    description: 'The team that is asked for help; unless given those alone who are named',
  })
  asked?: string;
  @Text({ optional: true, max: 400, dropNul: true }) title?: string;
  @Text({ optional: true, max: 1000, dropNul: true }) text?: string;
  @Texts({ optional: true, max: 500, maxLength: 64 }) users?: string[];
}

class ToldEvents {
  @Text({ max: 36 }) store_id!: string;
  @List(() => ToldEvent, { max: 100 }) events!: ToldEvent[];
}

class Applied {
  @Int({ description: 'How many were news' }) applied!: number;
}

interface Parts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly linkOpened: LinkOpened;
}

/** No row: it is known, or the store is not there. */
const KEEP = `
  INSERT INTO chat_event (store_id, id, kind, data, told_at)
  SELECT s.store_id, $2, $3, $4::jsonb, $5::timestamptz FROM store s WHERE s.store_id = $1
  ON CONFLICT DO NOTHING RETURNING 1`;

type Told = readonly [storeId: string, event: ToldEvent, at: Date];

/** Nothing is kept of a code that the store does not have: anybody can write one. */
const openedBy = async (tx: Sql, { linkOpened }: Parts, [storeId, event, at]: Told): Promise<boolean> => {
  const { id, nohp: phone, code, chatId } = event;
  // What is longer than a number of the world is no contact's
  if (code === undefined || chatId === undefined || phoneDigits(phone) !== phone) return false;
  return linkOpened(tx, { storeId, id, phone, at, code, chatId });
};

const solvedBy = async (tx: Sql, { queue }: Parts, [storeId, event, at]: Told): Promise<boolean> => {
  const { id, kind, nohp: phone, ticketId } = event;
  if (!ticketId?.startsWith(`${storeId}.`)) return false;
  const data = JSON.stringify({ ticketId, phone });
  if ((await tx.prepared('chat event', KEEP, [storeId, id, kind, data, at])).length === 0) return false;
  await queue.enqueue(tx, 'feedback.request', { storeId, id }, { key: `feedback:${storeId}:${id}` });
  return true;
};

/** A customer has written, or a colleague has given, moved or called to the chat: members whose browsers are to be told are told, and nothing is kept of the others. */
const membersTold = async (tx: Sql, { queue }: Parts, [storeId, event, at]: Told): Promise<boolean> => {
  const { id, about, asked, nohp, chatId = '', instance = '', team = '', title = nohp, text = '', users = [] } = event;
  const shown = conversationIdOf({ instance, nohp, team, chatId });
  if (!chatId.startsWith(`${storeId}.`) || !conversationOf(shown)) return false;
  // Whoever is asked for help sees a chat of a team that is not theirs
  const chat = {
    chatId,
    team: about === 'help' ? asked : team,
    title,
    text,
    about,
    url: `/chats/${shown}`,
    userIds: users,
  };
  return tellChat(queue, tx, { storeId, id, at, ...chat });
};

/** What follows from an event, in the transaction that keeps it: once, however often it is told. In an order in which two calls never wait in a circle. */
const KINDS = [
  ['link_opened', openedBy],
  ['ticket_resolved', solvedBy],
  ['members_told', membersTold, byChat],
] as const;

const apply = async (tx: Sql, parts: Parts, { store_id: storeId, events }: ToldEvents): Promise<number> => {
  const [at, inOrder] = [parts.clock.now(), events.toSorted((one, other) => (one.id < other.id ? -1 : 1))];
  let applied = 0;
  for (const [kind, follow, order = () => 0] of KINDS)
    for (const event of inOrder.filter((one) => one.kind === kind).toSorted(order))
      if (await follow(tx, parts, [storeId, event, at])) applied += 1;
  return applied;
};

/** `POST /internal/chat-events`: what chat-backend tells (design 5.6). */
export const chatEventsEndpoints = (parts: Parts): Endpoint[] => [
  endpoint({
    post: '/internal/chat-events',
    tag: 'internal',
    internal: true,
    summary: 'What happened in chats',
    guard: 'chat.tell',
    body: ToldEvents,
    reply: dataOf(Applied),
    refuses: [refusals.otherStore],
    handle: async ({ caller: { storeId }, body }) => {
      if (body.store_id !== storeId) throw refusals.otherStore();
      return parts.database.tx(async (tx) => ({ applied: await apply(tx, parts, body) }));
    },
  }),
];
