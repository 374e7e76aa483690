import { createECDH, randomBytes, type ECDH } from 'node:crypto';
import { decrypted, Refused } from './message';
import { senderOf } from './vapid';

/** A browser that wants to be pushed to, as it tells an application. */
export interface SandboxBrowser {
  readonly id: string;
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A message as its browser reads it. */
export interface ReceivedPush {
  readonly browser: string;
  readonly text: string;
  readonly topic: string | null;
  readonly urgency: string | null;
  readonly ttl: number;
  readonly subject: string;
  /** ISO 8601. */
  readonly at: string;
}

export const faults = ['none', 'gone', 'busy', 'error', 'hang', 'redirect'] as const;
export type Fault = (typeof faults)[number];

interface Kept {
  readonly pair: ECDH;
  readonly auth: Buffer;
  /** Whose messages it takes; undefined: everybody's. */
  readonly sender: string | undefined;
}

export interface Sent {
  readonly browser: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const MOST_MESSAGES = 1_000;
export const MOST_BYTES = 4_096;
const ALL = '*';

/** The browsers, and what was sent to them. */
export class PushDesk {
  readonly messages: ReceivedPush[] = [];
  private readonly browsers = new Map<string, Kept>();
  private readonly waiting = new Map<string, ReceivedPush>();
  private readonly faults = new Map<string, Fault>();

  constructor(private readonly origin: () => string) {}

  browser(sender?: string): SandboxBrowser {
    const pair = createECDH('prime256v1');
    const [id, auth] = [randomBytes(12).toString('base64url'), randomBytes(16)];
    const p256dh = pair.generateKeys('base64url');
    this.browsers.set(id, { pair, auth, sender });
    return { id, endpoint: `${this.origin()}/push/${id}`, keys: { p256dh, auth: auth.toString('base64url') } };
  }

  fault(mode: Fault, browser = ALL): void {
    this.faults.set(browser, mode);
  }

  faultOf(browser: string): Fault {
    return this.faults.get(browser) ?? this.faults.get(ALL) ?? 'none';
  }

  /** What a browser that was off shows when it is on again. */
  shown(browser: string): ReceivedPush[] {
    return [...this.waiting.values()].filter((message) => message.browser === browser);
  }

  /** Throws `Refused` for a message that no push service takes, or its browser could not read. */
  take({ browser, headers, body }: Sent): void {
    const kept = this.browsers.get(browser);
    if (!kept) throw new Refused(404, 'there is no such browser');
    const one = (name: string): string | undefined => headers[name] as string | undefined;
    const sender = senderOf(one('authorization'), { origin: this.origin(), now: Date.now() / 1000 });
    if (kept.sender !== undefined && kept.sender !== sender.key)
      throw new Refused(403, 'the browser has given its address to another key');
    const { ttl, topic } = demandHeaders(one);
    if (body.length > MOST_BYTES) throw new Refused(413, `a message has at most ${MOST_BYTES} bytes`);
    const message = {
      ...{ browser, text: decrypted(body, kept.pair, kept.auth), topic, urgency: one('urgency') ?? null, ttl },
      ...{ subject: sender.subject, at: new Date().toISOString() },
    };
    this.messages.push(message);
    if (this.messages.length > MOST_MESSAGES) this.messages.shift();
    this.waiting.set(`${browser} ${topic ?? randomBytes(8).toString('hex')}`, message);
  }
}

/** RFC 8030 sections 5.2 to 5.4. */
const demandHeaders = (one: (name: string) => string | undefined): { ttl: number; topic: string | null } => {
  const [ttl, topic, urgency] = [one('ttl'), one('topic') ?? null, one('urgency')];
  if (ttl === undefined || !/^\d{1,9}$/.test(ttl)) throw new Refused(400, 'TTL must be a number of seconds');
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    throw new Refused(400, 'Topic must be at most 32 letters of base64url');
  if (urgency !== undefined && !['very-low', 'low', 'normal', 'high'].includes(urgency))
    throw new Refused(400, 'Urgency is unknown');
  if (one('content-encoding') !== 'aes128gcm') throw new Refused(415, 'Content-Encoding must be aes128gcm');
  return { ttl: Number(ttl), topic };
};
