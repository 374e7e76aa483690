import { normaliseNohp } from '@platform/contracts';
import type { Sql } from '@platform/data';
import { parseChatId, type ConversationKey } from '../records/public';
import type { AccessRepository } from './access.repository';
import { refusals } from './refusals';
import { answerable, seesGroups, sightOf, visible, type Scope } from './scope';

/** How calls name a chat; `chatId` wins and must belong to the same number and device. */
interface NamedChat {
  readonly nohp: string;
  readonly instance: string;
  readonly team: string;
  readonly chatId?: string;
  /** The user that the call names, as its author or to be given the chat. */
  readonly user_id?: string;
}

/**
 * SQL: the `nohp` by which the chat that a caller names is known now. A chat that was begun under a hidden id may be named by that still: by
 * a page that is open, a link that was sent, or the bot. With its id it is that chat, whoever the hidden id belongs to now.
 */
export const knownBy = (
  store: string,
  instance: string,
  named: string,
  id = 'NULL',
): string => `CASE WHEN ${named} LIKE '%@%' THEN coalesce((
    SELECT b.nohp FROM conversations b WHERE b.store_id = ${store} AND b.id = ${id}::uuid AND b.instance = ${instance} AND b.begun_as = ${named}), (
    SELECT a.nohp FROM conversation_aliases a WHERE a.store_id = ${store} AND a.instance = ${instance} AND a.alias = ${named} AND NOT EXISTS (
      SELECT 1 FROM conversations o WHERE o.store_id = ${store} AND o.instance = ${instance} AND o.nohp = ${named})), ${named}) ELSE ${named} END`;

/** The chat that a caller names, if the caller may see it. $1 store $2 instance $3 nohp $4 id or null $5 sight $6 groups */
export const FIND_CHAT = `
  SELECT c.id, ${answerable('c', '$5')} AS answerable FROM conversations c
  WHERE c.store_id = $1 AND c.instance = $2 AND c.nohp = ${knownBy('$1', '$2', '$3', '$4')}
    AND ($4::uuid IS NULL OR c.id = $4::uuid) AND ${visible('c', '$5', '$6')}`;

/** Resolves the chat that a call wants to change or answer to its key, after the checks of design 2.1 in their order. */
export class ChatFinder {
  constructor(
    private readonly access: AccessRepository,
    private readonly sql: Sql,
  ) {}

  async find(scope: Scope, ref: NamedChat): Promise<ConversationKey> {
    const storeId = await this.access.enter(scope, ref);
    await this.access.demandUser(scope, storeId, ref.user_id);
    const nohp = normaliseNohp(ref.nohp);
    const named = ref.chatId === undefined ? undefined : parseChatId(ref.chatId);
    if (!nohp || (ref.chatId !== undefined && named?.storeId !== storeId)) throw refusals.chatNotFound();
    const [row] = await this.sql.prepared<{ id: string; answerable: boolean }>('find_chat', FIND_CHAT, [
      storeId,
      ref.instance,
      nohp,
      named?.conversationId ?? null,
      sightOf(scope),
      seesGroups(scope),
    ]);
    if (!row) throw refusals.chatNotFound();
    // An open team is open for reading
    if (!row.answerable) throw refusals.forbidden();
    return { storeId, conversationId: row.id };
  }
}
