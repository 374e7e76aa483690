import { normaliseNohp } from '@platform/contracts';
import { uuidv7 } from '@platform/runtime';
import type { MediaLinks } from '../media/media.links';
import { parseChatId, type ConversationKey } from '../records/public-id';
import { chatStatuses } from '../records/record.sql';
import type { ChatAnnouncer } from '../sockets/chat.announcer';
import type { AccessRepository } from '../tenancy/access.repository';
import { refusals } from '../tenancy/refusals';
import { seesGroups, type Scope } from '../tenancy/scope';
import type { SendBase, SendMessage } from './outbound.dto';
import type { OutboundMessage, OutboundRepository, Sent } from './outbound.repository';

const PREVIEW_LIMIT = 200;

export interface OutboundDependencies {
  readonly access: AccessRepository;
  readonly announcer: ChatAnnouncer;
  readonly media: MediaLinks;
}

/** A person is someone with a login, or the user that a caller without one names. */
const actorOf = (scope: Scope, named: string | undefined): string | undefined => {
  if (scope.kind === 'user') return scope.userId;
  return scope.kind === 'admin' || scope.kind === 'service' ? named : undefined;
};

const roleOf = (scope: Scope): OutboundMessage['role'] =>
  scope.kind === 'bot'
    ? 'bot'
    : scope.kind === 'user' || scope.kind === 'admin' || scope.kind === 'crm'
      ? 'agent'
      : 'system';

/** Sending: stored, shown and queued in one transaction; the outbox takes it to the gateway from there. */
export class OutboundService {
  constructor(
    private readonly repository: OutboundRepository,
    private readonly needs: OutboundDependencies,
  ) {}

  /** `data` and `chat_list` of the answer as JSON text. */
  async sendText(scope: Scope, request: SendMessage): Promise<string> {
    const chat = await this.chat(scope, request);
    const message: OutboundMessage = {
      pesan_id: request.pesan_id ?? uuidv7(),
      role: roleOf(scope),
      user_id: actorOf(scope, request.user_id) ?? null,
      type: 'chat',
      pesan: request.pesan.replaceAll('\0', ''),
      detail: null,
      quote: request.quoteMsg ?? null,
      preview: request.pesan.slice(0, PREVIEW_LIMIT),
    };
    const ifStatus =
      request.if_status === undefined ? undefined : chatStatuses.findIndex((status) => status === request.if_status);
    const [sent] = await this.repository.send(chat, [message], { ifStatus, actor: message.user_id ?? undefined });
    return sent ? this.announced(sent) : this.sentBefore(chat, request.instance, message.pesan_id);
  }

  /** The bot's bubbles, all or none: dropped (no rows) when the chat is not open any more. */
  async sendBubbles(chat: ConversationKey, bubbles: readonly { id: string; text: string }[]): Promise<number> {
    const messages = bubbles.map(({ id, text }): OutboundMessage => ({
      pesan_id: id,
      role: 'bot',
      user_id: null,
      type: 'chat',
      pesan: text,
      detail: null,
      quote: null,
      preview: text.slice(0, PREVIEW_LIMIT),
    }));
    const sent = await this.repository.send(chat, messages, {
      ifStatus: chatStatuses.indexOf('open'),
      actor: undefined,
    });
    for (const one of sent) this.announced(one);
    return sent.length;
  }

  private announced({ body }: Sent): string {
    const signed = this.needs.media.sign(body);
    const { data, chat_list: list } = JSON.parse(signed) as { data: object; chat_list: object };
    this.needs.announcer.newMessage(data, list);
    return signed;
  }

  /** Nothing was new: the same id in this chat is the stored message again, in another chat a refusal. */
  private async sentBefore(chat: ConversationKey, instance: string, pesanId: string): Promise<string> {
    const stored = await this.repository.sent(chat, instance, pesanId);
    if (!stored) throw refusals.statusChanged();
    if (!stored.here) throw refusals.duplicate();
    return this.needs.media.sign(stored.body);
  }

  private async chat(scope: Scope, ref: SendBase): Promise<ConversationKey> {
    const storeId = await this.needs.access.enter(scope, ref);
    const nohp = normaliseNohp(ref.nohp);
    const named = ref.chatId === undefined ? undefined : parseChatId(ref.chatId);
    if (!nohp || (ref.chatId !== undefined && named?.storeId !== storeId)) throw refusals.chatNotFound();
    const question = {
      storeId,
      instance: ref.instance,
      nohp,
      conversationId: named?.conversationId,
      teams: scope.teams,
      groups: seesGroups(scope),
    };
    const chat = await this.repository.find(question);
    if (!chat) throw refusals.chatNotFound();
    return chat;
  }
}
