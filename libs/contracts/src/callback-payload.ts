import type { DeliveryStatus } from './delivery-status';

/** Kinds of message that the gateway sends [contract]. The receiver stores other ones as given. */
export const messageKinds = ['chat', 'image', 'video', 'document', 'audio', 'extendedtext'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The contract's callback payload (`POST /v1/callback_message`): what happened on a device. */
export interface CallbackPayload {
  readonly instanceID: string;
  /** Must be true for processing. */
  readonly result: boolean;
  /** False: a new message. True: a status update. */
  readonly report: boolean;
  readonly text?: string;
  /** Chat, with a user or group suffix. */
  readonly number: string;
  readonly fromMe?: boolean;
  /** Required on a status update. */
  readonly id?: string;
  readonly name?: string;
  /** Epoch seconds from our gateway; `callbackTime` reads the finer units that other senders use. */
  readonly timestamp?: number;
  readonly type?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly caption?: string;
  readonly matchedText?: string;
  readonly quoteMsg?: string;
  readonly profilepic?: string;
  readonly participantname?: string;
  /** JSON text, at most 64 KB; carries what the contract has no field for. */
  readonly rawMessage?: string;
  readonly locationAddress?: string;
  readonly locationName?: string;
  /** Required on a status update. */
  readonly status?: string;
}

/** Fields in the order of the contract's table, which is the order in which the gateway writes them. */
export const callbackFields = [
  'instanceID',
  'result',
  'report',
  'text',
  'number',
  'fromMe',
  'id',
  'name',
  'timestamp',
  'type',
  'latitude',
  'longitude',
  'caption',
  'matchedText',
  'quoteMsg',
  'profilepic',
  'participantname',
  'rawMessage',
  'locationAddress',
  'locationName',
  'status',
] as const satisfies readonly (keyof CallbackPayload)[];

/** Name of the multipart part that carries media up to 16 MB (inferred: the contract's table shows no media). */
export const CALLBACK_FILE_PART = 'file';

/** Members of `rawMessage` that the gateway adds and chat-backend reads. */
export interface CallbackExtras {
  readonly pesan_id?: string;
  readonly fileUrl?: string;
  readonly mimetype?: string;
  readonly fileName?: string;
  readonly fileSize?: number;
  /** What hides the number of who wrote it (`…@lid`, `…@bsuid`), where it is known: also beside the number itself. */
  readonly lid?: string;
  /** Since when the gateway has known the number of `lid`, epoch seconds, where the message itself named `lid` alone. */
  readonly lidSince?: number;
  readonly editOf?: string;
  readonly mediaError?: string;
  /** With status `pending`: the send failed for good. */
  readonly failed?: { readonly code: string; readonly retryable: boolean };
}

/** The text parts of a callback in contract order. Fields without a value are left out, the required ones never. */
export const callbackParts = (payload: CallbackPayload): [name: string, value: string][] =>
  callbackFields.flatMap((name) => {
    const value = payload[name];
    const required = name === 'instanceID' || name === 'number';
    return value === undefined || (value === '' && !required) ? [] : [[name, String(value)] as [string, string]];
  });

/** The refusals of the callback [contract texts], which the gateway reads to decide whether to retry. */
export const callbackRefusals = {
  resultFalse: 'Callback result false',
  missingFields: 'missing required fields',
  invalidNumber: 'invalid number format',
  statusNotValid: 'message update not valid',
} as const;

export const CALLBACK_STATUS_UPDATED = 'updated status';

/** For the receiver of a status update: `status` is one that the callback knows, including the gateway's `pending`. */
export type StatusUpdate = CallbackPayload & {
  readonly report: true;
  readonly id: string;
  readonly status: DeliveryStatus;
};
