import { createHash } from 'node:crypto';
import { Rejected } from '@platform/errors';
import { safePost, SendFailed, type SafeAddressOptions } from '@platform/http';
import { generateRequestDetails } from 'web-push';
import type { Vapid } from './push.settings';

/** What a browser gave us to reach it by (RFC 8030, RFC 8291). Whoever has it can only send what nobody reads without our key. */
export interface BrowserKeys {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** JSON for the service worker. */
  readonly text: string;
  /** Of several under one topic that wait for a browser the last is kept. */
  readonly topic: string;
  /** Whether the device is woken for it. */
  readonly urgent: boolean;
}

/** What became of a message. `later`: another try may do, in so many seconds where the service says so. */
export type Pushed =
  | { readonly kind: 'taken' | 'gone' | 'refused'; readonly status?: number }
  | { readonly kind: 'later'; readonly status?: number; readonly afterSeconds?: number };

/** The push services of browsers: whoever keeps the address that a browser gave. */
export interface PushServices {
  send(keys: BrowserKeys, message: PushMessage, signal: AbortSignal): Promise<Pushed>;
}

/** So long it waits for a device that is off. */
const TTL_SECONDS = 12 * 3_600;
/** They answer in less than one, and all stores share the places. */
const TIMEOUT_MS = 3_000;
/** Longer than this nobody is waited for. */
const LONGEST_PAUSE = 3_600;
const GONE = new Set([404, 410]);

/** At most 32 letters of base64url (RFC 8030 section 5.4); they tell a push service nothing. */
export const topicOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);

const afterSeconds = (header: string | string[] | undefined): number | undefined => {
  const seconds = Number(header);
  return typeof header === 'string' && header !== '' && seconds >= 0 ? Math.min(seconds, LONGEST_PAUSE) : undefined;
};

/** What an answer means (RFC 8030 section 5, 7.3 and 8.4). A redirect is not followed, and not asked again. */
const outcomeOf = (status: number, retryAfter: string | string[] | undefined): Pushed => {
  if (status >= 200 && status < 300) return { kind: 'taken', status };
  if (GONE.has(status)) return { kind: 'gone', status };
  if (status === 429 || status === 408 || status >= 500)
    return { kind: 'later', status, afterSeconds: afterSeconds(retryAfter) };
  return { kind: 'refused', status };
};

/** Sends by Web Push to addresses that members gave: checked and pinned at every send, as all such addresses are. */
export const webPushServices = (vapid: Vapid, addresses: SafeAddressOptions): PushServices => ({
  send: async ({ endpoint, ...keys }, { text, topic, urgent }, signal) => {
    const { headers, body } = generateRequestDetails({ endpoint, keys }, text, {
      ...{ vapidDetails: vapid, TTL: TTL_SECONDS, topic, contentEncoding: 'aes128gcm' },
      urgency: urgent ? 'high' : 'normal',
    });
    const { 'Content-Length': _length, ...others } = headers as Readonly<Record<string, string | number>>;
    const sent = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
    try {
      const answer = await safePost(endpoint, { ...addresses, body, headers: sent, timeoutMs: TIMEOUT_MS, signal });
      return outcomeOf(answer.status, answer.headers['retry-after']);
    } catch (failure) {
      // Its name leads into a private network by now, or nobody tells where it leads: while name servers are silent all are so
      const isUnreached = failure instanceof Rejected || failure instanceof SendFailed;
      if (signal.aborted || !isUnreached) throw failure;
      return { kind: 'later' };
    }
  },
});
