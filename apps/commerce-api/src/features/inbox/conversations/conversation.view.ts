import type { Database } from '@platform/data';
import type { Caller } from '../../../abilities';
import { refusals } from '../../../refusals';
import { typeOf } from '../messages/public';
import { conversationIdOf, type ConversationRef } from './conversation.id';
import type { Conversation, conversationStates } from './conversations.dto';

/** As chat-backend lists one. */
export interface ChatRow extends ConversationRef {
  readonly nama: string | null;
  readonly status: (typeof conversationStates)[number];
  readonly user_id: string | null;
  readonly unread: number;
  readonly last_pesan: string | null;
  readonly last_type: string | null;
  readonly last_fromMe: boolean;
  /** Seconds, as the next one. */
  readonly waiting_since: number | null;
  readonly timestamp: number;
}

interface Beside {
  readonly contacts: Readonly<Record<string, { readonly id: string; readonly name: string | null }>>;
  readonly devices: Readonly<Record<string, string>>;
}

const BESIDE = `
  SELECT (SELECT coalesce(json_object_agg(p.phone, json_build_object('id', c.id, 'name', c.name)), '{}')
      FROM contact_phone p JOIN contact c ON c.store_id = p.store_id AND c.id = p.contact_id WHERE p.store_id = $1 AND p.phone = ANY ($2)) AS contacts,
    (SELECT coalesce(json_object_agg(d.instance_id, d.id), '{}') FROM device d WHERE d.store_id = $1 AND d.instance_id = ANY ($3)) AS devices`;

/** What of our own rows goes with chat-backend's: one statement, however many there are. */
export const contactsBeside = async (
  sql: Pick<Database, 'prepared'>,
  storeId: string,
  rows: readonly ChatRow[],
): Promise<Beside> => {
  const none: Beside = { contacts: {}, devices: {} };
  if (rows.length === 0) return none;
  const distinct = [[...new Set(rows.map(({ nohp }) => nohp))], [...new Set(rows.map(({ instance }) => instance))]];
  const [beside = none] = await sql.prepared<Beside>('beside conversations', BESIDE, [storeId, ...distinct]);
  return beside;
};

const moment = (seconds: number): string => new Date(seconds * 1000).toISOString();

const lastMessage = ({ last_type, last_pesan, last_fromMe, timestamp }: ChatRow): Conversation['last_message'] =>
  last_type === null
    ? null
    : { type: typeOf(last_type), text: last_pesan, from_me: last_fromMe, at: moment(timestamp) };

export const shownConversation = (row: ChatRow, { contacts, devices }: Beside): Conversation => ({
  id: conversationIdOf(row),
  contact: { id: null, ...contacts[row.nohp], name: contacts[row.nohp]?.name ?? row.nama, phone: row.nohp },
  ...{ device_id: devices[row.instance] ?? null, team: row.team, assignee: row.user_id, status: row.status },
  ...{ unread: row.unread, last_message: lastMessage(row) },
  waiting_since: row.waiting_since === null ? null : moment(row.waiting_since),
});

/** An API token acts as this service, which sees the chats of all teams. Throws `forbidden` for one whose maker does not. */
export const demandAllChats = ({ bearer, sight }: Pick<Caller, 'bearer' | 'sight'>): void => {
  if (!bearer && sight) throw refusals.abilityMissing('chat.all');
};
