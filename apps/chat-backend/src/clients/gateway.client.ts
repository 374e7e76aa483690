import type { HttpClient } from '@platform/http';

export interface OutgoingText {
  readonly pesanId: string;
  readonly role: string;
  readonly instance: string;
  readonly number: string;
  readonly text: string;
  readonly quotedId: string | null;
}

/** `status` undefined: no answer. `accepted`: the gateway has it and will send it once. */
export interface GatewayAnswer {
  readonly status: number | undefined;
  readonly message: string;
  readonly accepted?: { readonly id: string };
  readonly retryAfterSeconds?: number;
}

/** What this service asks of wa-gateway. */
export interface GatewayClient {
  /** Never rejects: every outcome is an answer that the outbox judges. */
  sendText(message: OutgoingText, signal: AbortSignal): Promise<GatewayAnswer>;
}

interface SendAnswer {
  readonly success?: boolean;
  readonly message?: string;
  readonly data?: { readonly id?: string };
}

const SEND_TIMEOUT_MS = 15_000;

/** wa-gateway over HTTP: `POST /api/send-message {pesan_id, role, data}` (contract, section B). */
export const httpGatewayClient = (http: HttpClient): GatewayClient => ({
  sendText: async ({ pesanId, role, instance, number, text, quotedId }, signal) => {
    const data = { instanceID: instance, number, text, ...(quotedId ? { quoted_id: quotedId } : {}) };
    try {
      const answer = await http.call({
        method: 'POST',
        path: '/api/send-message',
        json: { pesan_id: pesanId, role, data },
        timeoutMs: SEND_TIMEOUT_MS,
        signal,
      });
      const body = answer.json<SendAnswer>();
      const retryAfter = Number(answer.headers['retry-after']);
      return {
        status: answer.status,
        message: body?.message ?? '',
        ...(answer.status === 200 && body?.success === true && body.data?.id ? { accepted: { id: body.data.id } } : {}),
        ...(retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}),
      };
    } catch (failure) {
      return { status: undefined, message: failure instanceof Error ? failure.message : 'no answer' };
    }
  },
});
