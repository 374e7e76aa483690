import { normaliseNohp } from '@platform/contracts';
import type { ChatAnnouncer } from '../sockets/public';
import type { MediaLinks } from '../media/public';
import type { NotificationAnnouncer } from '../notifications/public';
import { likeWords, parseChatId, parseInboxId } from '../records/public';
import {
  refusals,
  requireStore,
  seesGroups,
  sightOf,
  type AccessRepository,
  type ChatFinder,
  type DeviceDirectory,
  type Scope,
} from '../tenancy/public';
import type { ChatRef, InboxQuery, PositionQuery } from './inbox.dto';
import type { InboxRepository, VisibleChat } from './inbox.repository';

const DEFAULT_LIMIT = 50;
const MOST = 200;
const MOST_OFFSET = 2_000_000_000;

const limitOf = (limit: string | undefined): number => Math.min(Number(limit ?? 0) || DEFAULT_LIMIT, MOST);

/** What the inbox needs beside its own statements. */
export interface InboxDependencies {
  readonly access: AccessRepository;
  readonly chats: ChatFinder;
  readonly devices: DeviceDirectory;
  readonly media: MediaLinks;
  readonly announcer: ChatAnnouncer;
  readonly notifications: NotificationAnnouncer;
}

/** Reading one conversation. Nothing but `markRead` marks anything as read. */
export class InboxService {
  constructor(
    private readonly repository: InboxRepository,
    private readonly needs: InboxDependencies,
  ) {}

  async inbox(scope: Scope, query: InboxQuery): Promise<string> {
    const chat = await this.chat(scope, query);
    const offset = Math.min(Number(query.offset ?? 0), MOST_OFFSET);
    const limit = limitOf(query.limit);
    return this.found(
      query.search === undefined
        ? await this.repository.inbox(chat, limit, offset)
        : await this.repository.found(chat, limit, offset, likeWords(query.search)),
    );
  }

  async unseen(scope: Scope, ref: ChatRef): Promise<string> {
    return this.found(await this.repository.unseen(await this.chat(scope, ref)));
  }

  /** How many messages are newer than this one; whatever keeps the caller from seeing it, it is "not found". */
  async position(
    scope: Scope,
    { pesan_id, nohp, instance }: PositionQuery,
  ): Promise<{ offset: number; waktu: string }> {
    const route = await this.needs.devices.find(instance);
    const storeId = requireStore(scope, route?.storeId, refusals.messageNotFound);
    const number = normaliseNohp(nohp);
    const position =
      number && (await this.repository.position(this.visibleChat(scope, storeId, instance, number), pesan_id));
    if (!position) throw refusals.messageNotFound();
    return position;
  }

  async detail(scope: Scope, chatInboxId: string): Promise<string> {
    const id = parseInboxId(chatInboxId);
    const storeId = requireStore(scope, id?.storeId, refusals.messageNotFound);
    const body =
      id && (await this.repository.detail(storeId, id.conversationId, id.seq, sightOf(scope), seesGroups(scope)));
    if (!body) throw refusals.messageNotFound();
    return this.needs.media.sign(body);
  }

  async markRead(scope: Scope, ref: ChatRef): Promise<void> {
    const chat = await this.needs.chats.find(scope, ref);
    const marked = await this.repository.markRead(chat, sightOf(scope), scope.userId);
    if (!marked) throw refusals.chatNotFound();
    if (marked.changed) this.needs.announcer.listChanged(marked.changed);
    if (marked.cleared && scope.userId !== undefined)
      this.needs.notifications.countsChanged(chat.storeId, scope.userId);
  }

  private async chat(scope: Scope, ref: ChatRef): Promise<VisibleChat> {
    const storeId = await this.needs.access.enter(scope, ref);
    const nohp = normaliseNohp(ref.nohp);
    const named = ref.chatId === undefined ? undefined : parseChatId(ref.chatId);
    if (!nohp || (ref.chatId !== undefined && named?.storeId !== storeId)) throw refusals.chatNotFound();
    return this.visibleChat(scope, storeId, ref.instance, nohp, named?.conversationId);
  }

  private visibleChat(
    scope: Scope,
    storeId: string,
    instance: string,
    nohp: string,
    conversationId?: string,
  ): VisibleChat {
    return { storeId, instance, nohp, conversationId, sight: sightOf(scope), groups: seesGroups(scope) };
  }

  private found(body: string | undefined): string {
    if (!body) throw refusals.chatNotFound();
    return this.needs.media.sign(body);
  }
}
