import { path, peer, type CallAnswer, type CallOptions, type HttpClient, type MediaUse } from '@platform/http';
import { storable } from '@platform/runtime';

/** Seconds between two messages of a device's campaign lane; the gateway draws from them (wa-gateway design 3.6). */
export interface BulkPace {
  readonly delay_min: number;
  readonly delay_max: number;
}

interface OutgoingBase {
  readonly pesanId: string;
  readonly role: string;
  readonly instance: string;
  readonly number: string;
  readonly quotedId: string | null;
  /** Only of a campaign. */
  readonly bulk?: BulkPace;
}

export interface OutgoingText extends OutgoingBase {
  readonly text: string;
}

export interface OutgoingMedia extends OutgoingBase {
  readonly type: MediaUse;
  /** Good for this try; the next one brings a link of its own. */
  readonly url: string;
  readonly filename?: string;
  readonly caption?: string;
}

export interface OutgoingLocation extends OutgoingBase {
  readonly latitude: string;
  readonly longitude: string;
  readonly locationName?: string;
  readonly locationAddress?: string;
}

export type OutgoingMessage = OutgoingText | OutgoingMedia | OutgoingLocation;

/** Messages of a customer that were read. */
export interface ReadReceipt {
  readonly instance: string;
  readonly number: string;
  /** WhatsApp's ids, at most 100. */
  readonly ids: readonly string[];
}

/** `status` undefined: no answer. `accepted`: the gateway has it and will send it once. */
export interface GatewayAnswer {
  readonly status: number | undefined;
  readonly message: string;
  readonly accepted?: { readonly id: string };
  readonly retryAfterSeconds?: number;
}

export interface GatewayDevice {
  readonly instance: string;
  /** One of the gateway's own states; `connected` and `qr` are two of them. */
  readonly status: string;
}

/** What this service asks of wa-gateway. */
export interface GatewayClient {
  /** Never rejects: every outcome is an answer that the outbox judges. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<GatewayAnswer>;
  /** Shows the customer that messages were read; ids that it does not know are passed over. Never rejects either. */
  markRead(receipt: ReadReceipt, signal: AbortSignal): Promise<GatewayAnswer>;
  /** Every device it knows. Rejects when it cannot say. */
  devices(): Promise<GatewayDevice[]>;
}

interface SendAnswer {
  readonly success?: boolean;
  readonly message?: string;
  readonly data?: { readonly id?: string };
}

interface DeviceAnswer {
  readonly data?: { readonly devices?: readonly { readonly instanceID: string; readonly status: string }[] };
}

const SEND_TIMEOUT_MS = 15_000;
/** The gateway fetches the file before it answers, within 30 s; the lane's lease ends the wait earlier. */
const MEDIA_TIMEOUT_MS = 27_000;
/** No send is under way for longer. */
export const LONGEST_SEND_SECONDS = MEDIA_TIMEOUT_MS / 1000 + 1;

type SendCall = Pick<CallOptions, 'path' | 'json' | 'timeoutMs'>;

/** The gateway's route and body for a message: wa-gateway design 2.2. `{pesan_id, role, data}` of send-message is the contract's. */
export const sendCallOf = (message: OutgoingMessage): SendCall => {
  const { pesanId, role, instance, number, quotedId, ...content } = message;
  const caller = { pesan_id: pesanId, role };
  const quoted = quotedId ? { quoted_id: quotedId } : {};
  const to = { instanceID: instance, number };
  if ('text' in content)
    return {
      path: '/api/send-message',
      json: { ...caller, data: { ...to, ...content, ...quoted } },
      timeoutMs: SEND_TIMEOUT_MS,
    };
  if ('url' in content)
    return {
      path: '/api/send-media',
      json: { ...to, ...content, ...quoted, ...caller },
      timeoutMs: MEDIA_TIMEOUT_MS,
    };
  return { path: '/api/send-location', json: { ...to, ...content, ...caller }, timeoutMs: SEND_TIMEOUT_MS };
};

const answerOf = (answer: CallAnswer): GatewayAnswer => {
  const body = storable(answer.json<SendAnswer>());
  const retryAfter = Number(answer.headers['retry-after']);
  return {
    status: answer.status,
    message: body?.message ?? '',
    ...(answer.status === 200 && body?.success === true && body.data?.id ? { accepted: { id: body.data.id } } : {}),
    ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
  };
};

/**
 * wa-gateway over HTTP (contract, section B), with its `GATEWAY_API_KEY` where it has one. The outbox has a breaker of its own,
 * and judges a send by its bare status.
 */
export const httpGatewayClient = (http: HttpClient, apiKey?: string): GatewayClient => {
  const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const gateway = peer('wa-gateway', http, { timeoutMs: SEND_TIMEOUT_MS });
  const post = async (call: SendCall, signal: AbortSignal): Promise<GatewayAnswer> => {
    try {
      return answerOf(await http.call({ method: 'POST', ...call, headers, signal }));
    } catch (failure) {
      return { status: undefined, message: failure instanceof Error ? failure.message : 'no answer' };
    }
  };
  return {
    send: (message, signal) => post(sendCallOf(message), signal),
    markRead: ({ instance: instanceID, number, ids }, signal) =>
      post({ path: '/api/mark-read', json: { instanceID, number, ids }, timeoutMs: SEND_TIMEOUT_MS }, signal),
    devices: async () => {
      const fits = ({ data }: DeviceAnswer) => Array.isArray(data?.devices);
      const { data } = await gateway.ask<DeviceAnswer>({ path: path('/api/device-info'), headers, retries: 1, fits });
      return (data?.devices ?? []).map(({ instanceID: instance, status }) => ({ instance, status }));
    },
  };
};
