import type { Database } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { MediaIntake, MediaLinks, OutgoingFile } from '../media/public';
import { chatStatuses, type ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals, sightOf, type ChatFinder, type Scope } from '../tenancy/public';
import type { SendBase } from './outbound.dto';
import type { NewChat, OutboundMessage, OutboundRepository, SendConditions, Sent } from './outbound.repository';
import { bubbleMessages, fetched, type Bubble } from './bubbles';
import { previewOf, type Content } from './send-kinds';

export interface OutboundDependencies {
  readonly database: Pick<Database, 'tx'>;
  readonly chats: ChatFinder;
  readonly announcer: ChatAnnouncer;
  readonly media: MediaLinks;
  readonly intake: MediaIntake;
  /** OUTBOX_OFFLINE=reject: nothing waits for a device that is not connected. */
  readonly rejectOffline: boolean;
}

/**
 * Who wrote a message, and who takes its chat over by it. A person is someone with a login, or the user that a caller without
 * one names; a send of the CRM takes no chat over (design 3.8).
 */
const authorOf = (scope: Scope, named: string | undefined): { user_id: string | null; actor: string | undefined } => {
  const author = scope.kind === 'user' ? scope.userId : scope.kind === 'bot' ? undefined : named;
  return { user_id: author ?? null, actor: scope.kind === 'crm' ? undefined : author };
};

const roleOf = (scope: Scope): OutboundMessage['role'] =>
  scope.kind === 'bot'
    ? 'bot'
    : scope.kind === 'user' || scope.kind === 'admin' || scope.kind === 'crm'
      ? 'agent'
      : 'system';

const columnsOf = (content: Content): Pick<OutboundMessage, 'type' | 'pesan' | 'caption' | 'detail' | 'preview'> => ({
  type: content.type,
  pesan: content.text ?? null,
  caption: content.caption ?? null,
  detail: content.detail ?? null,
  preview: previewOf(content),
});

/** Sending: stored, shown and queued in one transaction; the outbox takes it to the gateway from there. */
export class OutboundService {
  constructor(
    private readonly repository: OutboundRepository,
    private readonly needs: OutboundDependencies,
  ) {}

  /** `data` and `chat_list` of the answer as JSON text. */
  async send(scope: Scope, request: SendBase, content: Content): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    return this.sendTo(chat, scope, request, content);
  }

  /** The same to a chat that was found already, or one that the send creates. */
  async sendTo(
    chat: ConversationKey,
    scope: Scope,
    request: SendBase,
    content: Content,
    create?: NewChat,
  ): Promise<string> {
    const { instance, pesan_id: pesanId = uuidv7() } = request;
    const { rejectOffline } = this.needs;
    // The repetition of a send must neither fetch its file again nor be refused
    const checkFirst = request.pesan_id !== undefined && (rejectOffline || content.file !== undefined);
    if (checkFirst && (await this.repository.sent(chat, instance, pesanId)))
      return this.sentBefore(chat, instance, pesanId);
    await this.demandQuotable(chat, request.quoteMsg);
    if (rejectOffline && !(await this.repository.isConnected(chat.storeId, instance))) throw refusals.deviceOffline();
    const [taken, file] = await this.fileOf(scope, content);
    const { actor, ...by } = authorOf(scope, request.user_id);
    const named = { pesan_id: pesanId, role: roleOf(scope), quote: request.quoteMsg ?? null, ...by };
    const message: OutboundMessage = { ...named, ...columnsOf(taken), media: file };
    const ifStatus =
      request.if_status === undefined ? undefined : chatStatuses.findIndex((status) => status === request.if_status);
    // A chat that it creates is the sender's to begin, in whatever team that is open to them
    const sight = create ? null : sightOf(scope);
    const sent = await this.stored(chat, message, { ifStatus, actor, sight }, create).catch(
      async (failure: unknown) => {
        if (file) await this.needs.intake.discardAfter(failure, file);
        throw failure;
      },
    );
    if (sent) return this.announced(sent);
    if (file) await this.needs.intake.discard(file);
    return this.sentBefore(chat, instance, pesanId, create ? undefined : () => this.needs.chats.find(scope, request));
  }

  /** Automatic answers, all or none: dropped (no rows) when the chat is not open any more. Throws when the job's next `attempt` may have a file. */
  async sendBubbles(chat: ConversationKey, bubbles: readonly Bubble[], attempt: number): Promise<number> {
    const { intake } = this.needs;
    const messages = await bubbleMessages(intake, bubbles, attempt);
    const conditions = { ifStatus: chatStatuses.indexOf('open'), actor: undefined };
    const sent = await this.repository.send(chat, messages, conditions);
    const taken = new Set(sent.map(({ pesanId }) => pesanId));
    for (const { pesan_id: id, media } of messages) if (media && !taken.has(id)) await intake.discard(media);
    for (const one of sent) this.announced(one);
    return sent.length;
  }

  /** The bot names files of our own services, which may be private, and its answer outlives a picture that cannot be had. */
  private async fileOf({ kind }: Scope, content: Content): Promise<[Content, OutgoingFile | null]> {
    if (kind === 'bot') return fetched(this.needs.intake, content);
    return [content, content.file ? await this.needs.intake.take(content.file) : null];
  }

  /** A message that is not in the chat cannot be quoted to the customer. */
  private async demandQuotable(chat: ConversationKey, quoted: string | undefined): Promise<void> {
    if (quoted !== undefined && !(await this.repository.isQuotable(chat, quoted))) throw refusals.messageNotFound();
  }

  private async stored(
    chat: ConversationKey,
    message: OutboundMessage,
    conditions: SendConditions,
    create?: NewChat,
  ): Promise<Sent | undefined> {
    const [sent] = create
      ? await this.repository.sendFirst(this.needs.database, create, [message], conditions)
      : await this.repository.send(chat, [message], conditions);
    return sent;
  }

  /** Tells who watches the chat of a message that was committed; the answer with links that open. */
  announced({ body, taken }: Sent): string {
    const signed = this.needs.media.sign(body);
    const { data, chat_list: list } = JSON.parse(signed) as { data: object; chat_list: { chatId: string } };
    this.needs.announcer.newMessage(data, list);
    if (taken) this.needs.announcer.history(list.chatId, [taken]);
    return signed;
  }

  /**
   * Nothing was new: the same id in this chat answers the stored message, in another chat it is refused. Nothing went, though it
   * is new: `find` says whether the chat is the sender's no more.
   */
  private async sentBefore(
    chat: ConversationKey,
    instance: string,
    pesanId: string,
    find?: () => Promise<unknown>,
  ): Promise<string> {
    const stored = await this.repository.sent(chat, instance, pesanId);
    if (!stored) {
      await find?.();
      throw refusals.statusChanged();
    }
    if (!stored.here) throw refusals.duplicate();
    return this.needs.media.sign(stored.body);
  }
}
