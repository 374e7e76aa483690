import type { Database } from '@platform/data';
import { withLinkCode } from '@platform/contracts';
import { InvalidInput } from '@platform/errors';
import { path } from '@platform/http';
import { toString as drawn } from 'qrcode';
import type { Caller } from '../../../abilities';
import type { ChatDesk, ChatFeed } from '../../../clients/chat.desk';
import { findDevice, lineOf } from '../../devices/public';
import { trackerById } from '../../marketing/trackers/public';
import { demandAllChats, type ChatRow } from '../conversations/public';
import {
  OWNER_NAMES,
  type ChatMessageRow,
  type ContentType,
  type MessageContents,
  type NewConversationMessage,
} from '../messages/public';
import type { CheckedNumber, ClickToChat, LinkWish, MessageTaken } from './wa.dto';

export interface WaParts {
  readonly database: Database;
  readonly chat: ChatDesk;
  readonly contents: MessageContents;
}

/** Of a message by which device to whom. */
interface Sending extends Omit<NewConversationMessage, 'type'> {
  readonly device_id: string;
  readonly to: string;
}

/** Chats of one number, by several devices, and messages of each that are looked through. */
const MOST_CHATS = 5;
const MOST_MESSAGES = 200;
/** The gateway's own word, and Meta's for a recipient without an account. */
const NOT_THERE = new Set(['number not registered', 'WA_131026']);
const ARRIVED = new Set(['delivered', 'viewed', 'played']);

const SIGNS: readonly (readonly [CheckedNumber, (message: ChatMessageRow) => boolean])[] = [
  [{ registered: true, source: 'inbound' }, ({ role }) => role === 'customer'],
  [{ registered: true, source: 'delivered' }, ({ fromMe, status_ack }) => fromMe && ARRIVED.has(status_ack)],
  [{ registered: false, source: 'refused' }, ({ error }) => error !== null && NOT_THERE.has(error)],
];

const refused = (field: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'device', message: `${field} ${text}` }]);

/** Signs of most scripts are nine characters of an address each, and a picture holds three thousand. Throws `InvalidInput`. */
const pictureOf = (url: string): Promise<string> =>
  drawn(url, { type: 'svg' }).catch((cause: unknown) => {
    const message = 'text is too long to be drawn as a picture';
    throw new InvalidInput([{ field: 'text', tag: 'max', message }], { cause });
  });

/** Single messages over WhatsApp, which chat-backend sends so that the inbox shows them, and links to write to the shop. */
export class WaService {
  constructor(private readonly parts: WaParts) {}

  /** The same id is the same message, however often it is sent. Throws `forbidden` for an API token whose maker does not see all chats. */
  async send(caller: Caller, id: string, type: ContentType, message: Sending): Promise<MessageTaken> {
    demandAllChats(caller);
    const { storeId } = caller;
    const { device_id, to: nohp, ...said } = message;
    const content = await this.parts.contents.of(storeId, type, said);
    const line = await lineOf(this.parts.database, storeId, device_id);
    const json = { nohp, ...line, type: type === 'text' ? 'chat' : type, ...content, pesan_id: id };
    await this.ask(caller, path('/v1/send_express'), json);
    return { message_id: id, status: 'pending' };
  }

  /** By what was written and sent so far in chats that the caller may see: nobody asks WhatsApp. Throws as `send`. */
  async check(caller: Caller, phone: string): Promise<CheckedNumber> {
    demandAllChats(caller);
    const all = { nohp: '-', instance: 'all', team: 'all', search: phone, searchType: 'nohp', limit: `${MOST_CHATS}` };
    const { data } = await this.ask<ChatFeed<ChatRow>>(caller, path('/v1/chat_list'), all);
    const chats = data.filter(({ nohp }) => nohp === phone);
    const read = chats.map(({ nohp, instance, team, chatId }) =>
      this.ask<{ readonly data: ChatMessageRow[] }>(caller, path('/v1/chat_inbox'), {
        ...{ nohp, instance, team, chatId, limit: `${MOST_MESSAGES}` },
      }),
    );
    const messages = (await Promise.all(read)).flatMap((each) => each.data);
    const [known] = SIGNS.find(([, shows]) => messages.some(shows)) ?? [];
    return known ?? { registered: null, source: null };
  }

  async link(storeId: string, { device_id, phone, text = '', tracker_id }: LinkWish): Promise<ClickToChat> {
    if ((device_id === undefined) === (phone === undefined))
      throw refused('device_id', 'or phone is required, not both');
    const number = phone ?? (await this.numberOf(storeId, device_id ?? ''));
    const tracker = tracker_id === undefined ? undefined : await trackerById(this.parts.database, storeId, tracker_id);
    const words = tracker ? withLinkCode(text, tracker.code) : text;
    const url = `https://wa.me/${number}${words === '' ? '' : `?text=${encodeURIComponent(words)}`}`;
    return { url, qr_svg: await pictureOf(url) };
  }

  private async numberOf(storeId: string, deviceId: string): Promise<string> {
    const { number } = await findDevice(this.parts.database, storeId, deviceId);
    if (number === null) throw refused('device_id', 'has no number yet: connect it first');
    return number;
  }

  private ask<Answer extends object>(caller: Caller, address: ReturnType<typeof path>, json: object): Promise<Answer> {
    return this.parts.chat.asCaller<Answer>(caller, { method: 'POST', path: address, json, names: OWNER_NAMES });
  }
}
