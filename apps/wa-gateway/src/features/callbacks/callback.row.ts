import { deliveryStatuses, type CallbackExtras, type CallbackPayload, type DeliveryStatus } from '@platform/contracts';
import type { NewRow, OutboxKind } from '@platform/outbox';
import type { Jid, MediaRef, NeutralMessage } from '../../engines/engine.types';

/** What an outbox row carries to the receiver. */
export interface CallbackRow {
  readonly callback: CallbackPayload;
  /** The stored file that travels as the part `file`. */
  readonly file?: MediaRef;
  /** The engine's file to fetch before the row may be sent (design 3.7). */
  readonly awaits?: MediaRef;
}

/** A row before it has its receiver, which is the device's `webhook_url` at the moment of writing. */
export type CallbackDraft = Omit<NewRow, 'target' | 'payload'> & {
  readonly payload: CallbackRow;
  /** Stays in its lane, and keeps what follows waiting, until it is unblocked. */
  readonly waits?: boolean;
};

/** Sent to the chat backend, which takes a repeated event as one. */
export const CALLBACK: OutboxKind = { name: 'callback', effect: 'inside' };

const MAX_RAW_BYTES = 64 * 1024;
/** Above this a receiver gets `fileUrl` only (design 1 row 8). */
const MAX_PART_BYTES = 16 * 1024 * 1024;

/** What is too long is left out; what is ours, and short, is not. */
const rawText = (raw: object, ours: object = {}): string => {
  const text = JSON.stringify({ ...raw, ...ours });
  return Buffer.byteLength(text) <= MAX_RAW_BYTES ? text : JSON.stringify({ truncated: true, ...ours });
};

/** What the names of all lanes of a device begin with. */
export const lanesOf = (instanceId: string): string => `${instanceId}|`;

/** Order holds inside a lane; a refused status never delays a message (design 3.5). */
const laneOf = (instanceId: string, chat: Jid, kind: 'm' | 's'): string => `${lanesOf(instanceId)}${chat}|${kind}`;

const dedupeKey = (
  { instanceID, number, id, report, status }: CallbackPayload,
  participant = '',
  suffix = '',
): string => [instanceID, number, participant, id ?? '', report, status ?? ''].join('|') + suffix;

const isGroup = (chat: Jid): boolean => chat.endsWith('@g.us');

/** Design 2.6: where each field of the callback comes from. */
export const messagePayload = (instanceId: string, message: NeutralMessage): CallbackPayload => ({
  instanceID: instanceId,
  result: true,
  report: false,
  text: message.text,
  number: message.chat,
  fromMe: message.fromMe,
  id: message.id,
  name: message.name,
  timestamp: message.at,
  type: message.kind,
  latitude: message.location?.latitude,
  longitude: message.location?.longitude,
  caption: message.caption,
  matchedText: message.matchedText,
  quoteMsg: message.quote,
  profilepic: message.picture,
  participantname: isGroup(message.chat) ? message.name : undefined,
  rawMessage: rawText(message.raw),
  locationAddress: message.location?.address,
  locationName: message.location?.name,
});

/** A new message, as a row of the chat's lane. One with a file that the engine still has waits for it. */
export const messageDraft = (instanceId: string, message: NeutralMessage): CallbackDraft => {
  const callback = messagePayload(instanceId, message);
  const row = {
    lane: laneOf(instanceId, message.chat, 'm'),
    kind: CALLBACK,
    dedupeKey: dedupeKey(callback, message.participant),
  };
  return message.media
    ? { ...row, payload: { callback, awaits: message.media }, waits: true }
    : { ...row, payload: { callback } };
};

const withExtras = (callback: CallbackPayload, extras: CallbackExtras): CallbackPayload => {
  const raw = JSON.parse(callback.rawMessage ?? '{}') as object;
  return { ...callback, rawMessage: rawText(raw, extras) };
};

/** The row with its file: as a part when it is small enough, and where to fetch it in any case (design 2.6). */
export const withFile = ({ callback }: CallbackRow, file: MediaRef, baseUrl: string): CallbackRow => {
  const { key, mimetype, fileName, size = 0 } = file;
  const extras = { fileUrl: `${baseUrl}/files/${key}`, mimetype, fileName: fileName ?? key, fileSize: size };
  return { callback: withExtras(callback, extras), ...(size <= MAX_PART_BYTES ? { file } : {}) };
};

/** The row without the file that could not be had. */
export const withoutFile = ({ callback }: CallbackRow, reason: string): CallbackRow => ({
  callback: withExtras(callback, { mediaError: reason }),
});

/** The row without a file that will be had: where it will be then, and why it is not there yet. */
export const withLateFile = (
  { callback }: CallbackRow,
  { key, mimetype, fileName, size }: MediaRef,
  { baseUrl, reason }: { baseUrl: string; reason: string },
): CallbackRow => ({
  callback: withExtras(callback, {
    fileUrl: `${baseUrl}/files/${key}`,
    mimetype,
    fileName,
    fileSize: size,
    mediaError: reason,
  }),
});

export interface StatusFacts {
  readonly instanceId: string;
  readonly chat: Jid;
  readonly id: string;
  /** The receiver may know it before it knows our id. */
  readonly pesanId: string | null;
  /** Epoch seconds. */
  readonly at: number;
}

const statusDraftOf = (facts: StatusFacts, status: DeliveryStatus, extras: object, suffix = ''): CallbackDraft => {
  const callback: CallbackPayload = {
    instanceID: facts.instanceId,
    result: true,
    report: true,
    number: facts.chat,
    id: facts.id,
    timestamp: facts.at,
    rawMessage: Object.keys(extras).length > 0 ? rawText(extras) : undefined,
    status,
  };
  return {
    lane: laneOf(facts.instanceId, facts.chat, 's'),
    kind: CALLBACK,
    dedupeKey: dedupeKey(callback, '', suffix),
    payload: { callback },
  };
};

const pesan = (pesanId: string | null): object => (pesanId === null ? {} : { pesan_id: pesanId });

export const statusDraft = (facts: StatusFacts, status: DeliveryStatus): CallbackDraft =>
  statusDraftOf(facts, status, pesan(facts.pesanId));

/** There is no failure value among the statuses: a failed send is told as `pending` once more (design 1 row 6). */
export const failureDraft = (facts: StatusFacts, failed: { code: string; retryable: boolean }): CallbackDraft =>
  statusDraftOf(facts, deliveryStatuses[0], { ...pesan(facts.pesanId), failed }, '|failed');
