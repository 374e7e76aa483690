import {
  CALLBACK_FILE_PART,
  CallbackPayloadDto,
  readCallback,
  verifyCallbackSignature,
  type CallbackPayload,
} from '@platform/contracts';
import { chatCallbackEnvelope } from '@platform/envelopes';
import { InvalidInput } from '@platform/errors';
import { CustomBody, JsonText, type Endpoint, type Input } from '@platform/http';
import { storable, systemClock } from '@platform/runtime';
import { Anything, parse, Text } from '@platform/validation';
import { endpoint, everyVariant } from '../../endpoint';
import type { MediaStore } from '../media/public';
import { resultOf } from '../records/public';
import { refusals } from '../tenancy/public';
import { callbackExamples } from './callback.examples';
import { callbackFailures } from './callback.refusals';
import type { CallbackService } from './callback.service';
import type { StatusService } from './status.service';

const MEGABYTE = 1024 * 1024;

class CallbackReply {
  @Anything({ description: 'of a new message: newChatInbox, chat_list, chat_order, handle_gudang, customer, history' })
  data?: unknown;
  @Text({ optional: true, description: 'of a status update', example: 'updated status' }) message?: string;
}

type Callback = Pick<
  Input<unknown, Partial<CallbackPayload>, unknown, unknown>,
  'body' | 'files' | 'headers' | 'rawBody'
>;

export interface CallbackEndpointOptions {
  /** Comma list; empty: signatures are not asked for (CALLBACK_SECRET). */
  readonly secrets: string;
}

const newMessage = (fields: Partial<CallbackPayload>): CallbackPayload => {
  const { value, violations } = parse(CallbackPayloadDto, fields);
  if (violations) throw new InvalidInput(violations);
  return value;
};

/** The gateway's webhook: no token (contract); signed when a secret is configured (design section 6). */
export const callbackEndpoints = (
  { callbacks, statuses }: { callbacks: CallbackService; statuses: StatusService },
  media: MediaStore,
  { secrets }: CallbackEndpointOptions,
): Endpoint[] => {
  const demandSignature = ({ headers, rawBody }: Callback): void => {
    if (secrets !== '' && !verifyCallbackSignature(secrets, { headers, rawBody, now: systemClock.now() }))
      throw callbackFailures.wrongSignature();
  };
  const receive = async (callback: Callback): Promise<JsonText> => {
    const payload = newMessage(callback.body);
    const upload = callback.files.find(({ field }) => field === CALLBACK_FILE_PART);
    const stored = upload ? await media.keep(upload) : null;
    try {
      return resultOf(`"data":${await callbacks.receive(payload, stored)}`);
    } catch (failure) {
      if (stored) await media.discardAfter(failure, stored.name);
      throw failure;
    }
  };
  return [
    endpoint({
      post: '/v1/callback_message',
      summary: 'A message arrived on a device, or its delivery status changed',
      guard: 'public',
      internal: true,
      variants: everyVariant,
      envelope: chatCallbackEnvelope,
      tag: 'inbound',
      body: new CustomBody<Partial<CallbackPayload>>(CallbackPayloadDto, (raw) => readCallback(storable(raw))),
      accepts: ['multipart', 'urlencoded', 'json'],
      bodyLimit: 20 * MEGABYTE,
      files: { [CALLBACK_FILE_PART]: { maxBytes: 16 * MEGABYTE } },
      rawBody: secrets !== '',
      reply: CallbackReply,
      refuses: [
        ...Object.values(callbackFailures),
        refusals.deviceNotFound,
        refusals.teamNotFound,
        refusals.messageNotFound,
        refusals.chatBusy,
      ],
      examples: callbackExamples,
      handle: async (callback) => {
        demandSignature(callback);
        // Contract: "`result` false | any | rejected", before any other check
        if (callback.body.result !== true) throw callbackFailures.resultFalse();
        if (callback.body.report === true) return { message: await statuses.update(callback.body) };
        return receive(callback);
      },
    }),
  ];
};
