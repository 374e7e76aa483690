import { ControlError } from '../graph.area';
import { isRecord, recordAt, textAt, type Json } from '../json.reader';
import { newWamid, type StoredMedia, type WhatsAppStore } from './whatsapp.store';

/** A customer's action on the phone: text, file, or a member named like one of Meta's types. */
export interface Inbound {
  /** `phone_number_id` of the business; the first one by default. */
  readonly to?: string;
  /** Digits; absent for a person who hides the number behind a business-scoped user id. */
  readonly from?: string;
  readonly user_id?: string;
  readonly name?: string;
  readonly text?: string;
  /** Wamid of the message that this one answers. */
  readonly quotes?: string;
  /** A file; `type` is image, video, audio, voice, document or sticker. */
  readonly file?: { type: string; base64: string; mimetype: string; filename?: string; caption?: string };
  readonly location?: Json;
  readonly contacts?: readonly Json[];
  readonly reaction?: { message_id: string; emoji: string };
  readonly button?: Json;
  readonly interactive?: Json;
  /** A type that Meta has and this sandbox does not know. */
  readonly other?: { type: string; content: Json };
}

const MEMBERS = ['location', 'contacts', 'reaction', 'button', 'interactive'] as const;

/** Reads the body of the control route. Throws `ControlError` with what is wrong. */
export const readInbound = (body: unknown): Inbound => {
  if (!isRecord(body)) throw new ControlError('send a JSON object');
  if (textAt(body, 'from') === undefined && textAt(body, 'user_id') === undefined)
    throw new ControlError('from is required, or user_id for a person without a number');
  return body as Inbound;
};

const fileMember = ({ type, filename, caption }: NonNullable<Inbound['file']>, stored: StoredMedia): Json => {
  const named = { id: stored.id, mime_type: stored.mimetype, sha256: stored.sha256 };
  return {
    ...named,
    ...(caption ? { caption } : {}),
    ...(filename && type === 'document' ? { filename } : {}),
    ...(type === 'voice' || type === 'audio' ? { voice: type === 'voice' } : {}),
    ...(type === 'sticker' ? { animated: false } : {}),
  };
};

const contentOf = (given: Inbound, store: WhatsAppStore): Json => {
  const { file, text, other } = given;
  if (file) {
    const type = file.type === 'voice' ? 'audio' : file.type;
    const stored = store.keep(Buffer.from(file.base64, 'base64'), file.mimetype);
    return { type, [type]: fileMember(file, stored) };
  }
  if (other) return { type: other.type, [other.type]: other.content };
  const member = MEMBERS.find((name) => given[name] !== undefined);
  if (member) return { type: member, [member]: given[member] };
  if (text === undefined) throw new ControlError('text is required, or file, location, contacts, reaction, button');
  return { type: 'text', text: { body: text } };
};

/** The webhook's `value` for a customer's message, and the id of the message. */
export const inboundValue = (given: Inbound, store: WhatsAppStore, now: Date): { id: string; value: Json } => {
  const number = given.to === undefined ? [...store.numbers.values()][0] : store.numbers.get(given.to);
  if (!number) throw new ControlError('to is not a phone_number_id of this sandbox');
  const id = newWamid();
  store.inbound.add(id);
  const { from, user_id, name = `Phone ${(from ?? user_id ?? '').slice(-4)}`, quotes } = given;
  const who = { ...(from ? { from } : {}), ...(user_id ? { from_user_id: user_id } : {}) };
  const context = quotes ? { context: { from: number.displayPhoneNumber.replace(/\D/g, ''), id: quotes } } : {};
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const contact = { profile: { name }, ...(from ? { wa_id: from } : {}), ...(user_id ? { user_id } : {}) };
  return {
    id,
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.displayPhoneNumber.replace(/\D/g, ''), phone_number_id: number.id },
      contacts: [contact],
      messages: [{ ...context, ...who, id, timestamp, ...contentOf(given, store) }],
    },
  };
};

/** Reads the body of a control call about a person: all their messages, or the one with this id. */
export const readPerson = (body: unknown): { from: string; id?: string; on: boolean } => {
  const given = isRecord(body) ? body : {};
  const from = textAt(given, 'from');
  if (!from) throw new ControlError('from is required');
  return { from, id: textAt(given, 'id'), on: given.on !== false };
};

export const readSubscription = (body: unknown): { url: string; verifyToken: string; appSecret: string } => {
  const given = isRecord(body) ? body : {};
  const [url, verifyToken, appSecret] = ['url', 'verify_token', 'app_secret'].map((name) => textAt(given, name));
  if (!url || !verifyToken || !appSecret) throw new ControlError('url, verify_token and app_secret are required');
  return { url, verifyToken, appSecret };
};

/** The wamid that a `status: read` request names. */
export const readReceipt = (request: Json): { id: string; typing: boolean } | undefined => {
  const id = textAt(request, 'message_id');
  return request.status === 'read' && id
    ? { id, typing: recordAt(request, 'typing_indicator').type === 'text' }
    : undefined;
};
