import type { Database } from '@platform/data';
import { Failure, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { path, type Feed } from '@platform/http';
import { LruCache } from '@platform/runtime';
import type { Caller } from '../../../abilities';
import type { ChatDesk, ChatFeed } from '../../../clients/chat.desk';
import type { GatewayGroup, WaGateway } from '../../../clients/wa.gateway';
import { findDevice } from '../../devices/public';
import { conversationIdOf, demandAllChats, type ChatRow } from '../conversations/public';
import { OWNER_NAMES } from '../messages/public';
import type { GroupsQuery, WaGroup } from './wa.dto';

interface Parts {
  readonly database: Database;
  readonly chat: ChatDesk;
  /** Undefined: nobody knows more than chat-backend. */
  readonly gateway: Pick<WaGateway, 'group'> | undefined;
}

const TEN_MINUTES_MS = 600_000;
const REMEMBERED = 10_000;
/** So that the groups of one store leave the gateway to others. */
const AT_ONCE = 8;

/** The groups that a device writes in: the chats as chat-backend has them, with what the gateway tells of each. */
export class WaGroups {
  private readonly known = new LruCache<string, GatewayGroup>({ limit: REMEMBERED, ttlMs: TEN_MINUTES_MS });

  constructor(private readonly parts: Parts) {}

  /** While the gateway does not tell, no more than the chats. */
  async list(caller: Caller, { device_id, cursor, limit }: GroupsQuery): Promise<Feed<WaGroup>> {
    demandAllChats(caller);
    const { instance_id: instance } = await findDevice(this.parts.database, caller.storeId, device_id);
    const json = { nohp: '-', instance, team: 'all', filter: { is_group: true }, cursor, limit: limit?.toString() };
    const { data, next_cursor } = await this.parts.chat.asCaller<ChatFeed<ChatRow>>(caller, {
      ...{ method: 'POST', path: path('/v1/chat_list'), json, names: OWNER_NAMES },
    });
    const told = await this.told(data);
    const rows = data.map((chat): WaGroup => {
      const { name = chat.nama, description = null, size = null } = told.get(chat.nohp) ?? {};
      return { id: chat.nohp, conversation_id: conversationIdOf(chat), name, description, size };
    });
    return { rows, nextCursor: next_cursor };
  }

  private async told(chats: readonly ChatRow[]): Promise<ReadonlyMap<string, GatewayGroup>> {
    const told = new Map<string, GatewayGroup>();
    try {
      for (let from = 0; from < chats.length; from += AT_ONCE) {
        const asked = chats.slice(from, from + AT_ONCE).map(async (chat) => {
          const group = await this.group(chat);
          if (group) told.set(chat.nohp, group);
        });
        await Promise.all(asked);
      }
    } catch (failure) {
      const isAway = failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut;
      if (!isAway) throw failure;
    }
    return told;
  }

  /** Undefined for one that the gateway says nothing of. Throws when it is away. */
  private async group({ instance, nohp }: ChatRow): Promise<GatewayGroup | undefined> {
    const key = `${instance} ${nohp}`;
    const known = this.known.get(key);
    if (known) return known;
    try {
      const group = await this.parts.gateway?.group(instance, nohp);
      if (group) this.known.set(key, group);
      return group;
    } catch (failure) {
      const isAway = failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut;
      if (isAway || !(failure instanceof Failure)) throw failure;
      return undefined;
    }
  }
}
