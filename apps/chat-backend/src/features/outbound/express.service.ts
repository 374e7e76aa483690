import { normaliseNohp } from '@platform/contracts';
import { InvalidInput, NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import type { ConversationKey } from '../records/public';
import { refusals, seesGroups, type AccessRepository, type ChatFinder, type Scope } from '../tenancy/public';
import type { ExpressType, SendExpress } from './outbound.dto';
import type { NewChat, OutboundRepository } from './outbound.repository';
import type { OutboundService } from './outbound.service';
import { composeAs, type Content } from './send-kinds';
import { fillPlaceholders, type TemplateRepository } from './templates';

export interface ExpressDependencies {
  readonly access: AccessRepository;
  readonly chats: ChatFinder;
  readonly templates: TemplateRepository;
  readonly sends: Pick<OutboundRepository, 'isSentElsewhere'>;
}

const absent = (failure: unknown): undefined => {
  if (failure instanceof NotFound && failure.code === 'chat_not_found') return undefined;
  throw failure;
};

/** Where a type carries its words. */
const CAPTIONED = new Set<ExpressType>(['image', 'video', 'document']);

/** One call that needs no chat: it creates the chat, outside of the queue of waiting ones (design 2.5). */
export class ExpressService {
  constructor(
    private readonly outbound: OutboundService,
    private readonly needs: ExpressDependencies,
  ) {}

  async send(scope: Scope, request: SendExpress): Promise<string> {
    const storeId = await this.needs.access.enter(scope, request);
    await this.demandNew(scope, storeId, request);
    const content = await this.contentOf(storeId, request);
    const chat = await this.needs.chats.find(scope, request).catch(absent);
    if (chat) return this.outbound.sendTo(chat, scope, request, content);
    const create = this.newChat(scope, storeId, request);
    const key: ConversationKey = { storeId, conversationId: create.conversationId };
    const first = await this.outbound.sendTo(key, scope, request, content, create).catch(absent);
    // Somebody else created it just now, or it exists and the caller may not see it
    return first ?? this.outbound.send(scope, request, content);
  }

  /** A service chooses its device anew at each try: one message by two of them would be two. */
  private async demandNew({ kind }: Scope, storeId: string, { instance, pesan_id: id }: SendExpress): Promise<void> {
    if (kind !== 'service' || id === undefined) return;
    if (await this.needs.sends.isSentElsewhere(storeId, instance, id)) throw refusals.duplicate();
  }

  private newChat(scope: Scope, storeId: string, { nohp, chatId, instance, team }: SendExpress): NewChat {
    // A chat that is named by its id exists or not; it cannot be created
    if (chatId !== undefined) throw refusals.chatNotFound();
    const number = normaliseNohp(nohp);
    if (!number)
      throw new InvalidInput([{ field: 'nohp', tag: 'number', message: 'nohp must be a number or an id of WhatsApp' }]);
    const isGroup = number.endsWith('@g.us');
    if (isGroup && !seesGroups(scope)) throw refusals.chatNotFound();
    return { storeId, conversationId: uuidv7(), customerId: uuidv7(), instance, nohp: number, team, isGroup };
  }

  private contentOf(storeId: string, request: SendExpress): Content | Promise<Content> {
    const { template_id: templateId, type = 'chat', params, pesan, caption } = request;
    if (templateId !== undefined) return this.fromTemplate(storeId, templateId, request);
    const words = pesan && params ? fillPlaceholders(pesan, params) : pesan;
    if (type === 'chat' && words === undefined)
      throw new InvalidInput([{ field: 'pesan', tag: 'required_without', message: 'pesan is a required field' }]);
    return composeAs(type, { ...request, pesan: words, caption: caption ?? (CAPTIONED.has(type) ? words : undefined) });
  }

  /** The template's words and file; the file of the call goes before the template's. */
  private async fromTemplate(storeId: string, templateId: string, request: SendExpress): Promise<Content> {
    const { templates } = this.needs;
    const template = await templates.find(storeId, templateId);
    if (!template) throw refusals.templateNotFound();
    const { type, text, media } = template;
    const { nohp, params, url = media?.url, file, filename = media?.filename } = request;
    const nama = await templates.customerName(storeId, normaliseNohp(nohp) ?? '');
    const words = fillPlaceholders(text, { nama, ...params });
    return composeAs(type, {
      ...request,
      ...(file === undefined ? { url } : {}),
      filename,
      pesan: words,
      caption: words,
    });
  }
}
