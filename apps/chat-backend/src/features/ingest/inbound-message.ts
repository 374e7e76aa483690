import { createHash } from 'node:crypto';
import { callbackTime, linkCodeOf, nohpOf, type CallbackPayload, type ChatAddress } from '@platform/contracts';
import { cut, systemClock, uuidv7 } from '@platform/runtime';
import { mediaLabels, type StoredMedia } from '../media/public';
import type { DeviceRoute } from '../tenancy/public';

/** One message as the ingest statement takes it: member names are the columns of its `input`. */
export interface InboundMessage {
  readonly store_id: string;
  readonly instance: string;
  /** As it was written to; a hidden id may stand for another number. */
  readonly number: string;
  readonly is_group: boolean;
  readonly team_id: string;
  readonly bot: boolean;
  readonly pesan_id: string;
  /** Ids for rows that may be created. */
  readonly conversation_id: string;
  readonly customer_id: string;
  readonly from_me: boolean;
  readonly type: string;
  readonly pesan: string | null;
  readonly caption: string | null;
  readonly media: StoredMedia | null;
  readonly detail: Readonly<Record<string, string>> | null;
  readonly raw: string | null;
  readonly name: string | null;
  readonly profilepic: string | null;
  readonly at: string;
  readonly ts: number | null;
  readonly preview: string;
  /** The customer wants no more campaigns, wants them again, or said nothing about it. */
  readonly opt_out: boolean | null;
  /** Where the file is that was too large for the callback; a job copies it. */
  readonly file_url: string | null;
  readonly file_name: string | null;
  /** Of the short link that the customer came by. */
  readonly link_code: string | null;
}

const RAW_LIMIT = 64 * 1024;
const PREVIEW_LIMIT = 200;

/** A message without an id gets one from its content, so that a redelivery is still one row (design section 1, row 18). */
export const messageIdOf = (payload: CallbackPayload): string => {
  if (payload.id) return payload.id;
  const { instanceID, number, timestamp, type = '', text = '', caption = '' } = payload;
  if (timestamp === undefined) return `cb-${uuidv7()}`;
  const content = [instanceID, number, timestamp, type, text, caption].join('\0');
  return `cb-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`;
};

/** Fields of a callback that are kept with the message as they came. */
const DETAILS = [
  'latitude',
  'longitude',
  'locationName',
  'locationAddress',
  'matchedText',
  'quoteMsg',
  'name',
  'participantname',
  'profilepic',
] as const;

const detailOf = (payload: CallbackPayload): Record<string, string> | null => {
  const given = DETAILS.flatMap((name) => {
    const value: unknown = payload[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return given.length > 0 ? (Object.fromEntries(given) as Record<string, string>) : null;
};

const kindOf = ({ type, latitude, longitude }: CallbackPayload): string =>
  latitude !== undefined && longitude !== undefined ? 'location' : (type ?? 'chat');

const previewOf = ({ text, caption }: CallbackPayload, kind: string): string =>
  cut(text ?? caption ?? mediaLabels[kind] ?? `[${kind}]`, PREVIEW_LIMIT);

/** The row of one callback. A time in the future counts as now: a wrong clock cannot pin a chat to the top of the list. */
export const inboundMessage = (
  payload: CallbackPayload,
  address: ChatAddress,
  route: DeviceRoute & { teamId: string },
  media: StoredMedia | null,
  now: Date,
): Omit<InboundMessage, 'opt_out' | 'file_url' | 'file_name'> => {
  const kind = kindOf(payload);
  const isCustomer = address.kind !== 'group' && !payload.fromMe;
  const said = payload.timestamp === undefined ? now : callbackTime(payload.timestamp);
  return {
    store_id: route.storeId,
    instance: route.instance,
    number: nohpOf(address),
    is_group: address.kind === 'group',
    team_id: route.teamId,
    bot: route.automated,
    pesan_id: messageIdOf(payload),
    conversation_id: uuidv7(),
    customer_id: uuidv7(),
    from_me: payload.fromMe ?? false,
    type: kind,
    pesan: payload.text ?? null,
    caption: payload.caption ?? null,
    media,
    detail: detailOf(payload),
    raw: payload.rawMessage === undefined ? null : cut(payload.rawMessage, RAW_LIMIT),
    // In a group `name` is the participant's, not the chat's
    name: isCustomer ? (payload.name ?? null) : null,
    profilepic: payload.profilepic ?? null,
    at: new Date(Math.min(said.getTime(), now.getTime())).toISOString(),
    ts: payload.timestamp ?? null,
    preview: previewOf(payload, kind),
    link_code: isCustomer ? (linkCodeOf(payload.text ?? '') ?? null) : null,
  };
};

/** What is kept of a message that the database will never take: that it came, from whom and when, and its file. Automation leaves it alone. */
export const stubOf = (message: InboundMessage): InboundMessage => ({
  ...message,
  bot: false,
  type: 'unsupported',
  pesan: null,
  caption: null,
  detail: null,
  raw: null,
  name: null,
  profilepic: null,
  at: systemClock.now().toISOString(),
  ts: null,
  preview: '[pesan tidak dapat disimpan]',
  link_code: null,
  file_url: null,
  file_name: null,
});
