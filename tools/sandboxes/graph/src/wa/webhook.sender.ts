import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '@platform/runtime';
import type { FaultSwitch } from './whatsapp.faults';

/** The webhook settings in the dashboard of an app. */
export interface WebhookSubscription {
  readonly url: string;
  readonly verifyToken: string;
  readonly appSecret: string;
}

export interface WebhookAttempt {
  /** The value of `changes[0]`. */
  readonly value: unknown;
  /** Status of the answer; 0 when there was none. */
  readonly status: number;
}

const LONGEST_PAUSE_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** Meta escapes all non-ASCII characters, with lower-case hex digits, and signs the escaped text. */
export const escaped = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const signatureOf = (body: string, appSecret: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;

interface Event {
  readonly value: unknown;
  tries: number;
}

/**
 * Posts signed events to the subscribed address one at a time and repeats each with growing pauses until it is answered 200, as
 * Meta does for days. Later events overtake one that waits for its next try.
 */
export class WebhookSender {
  readonly attempts: WebhookAttempt[] = [];
  subscription: WebhookSubscription | undefined;
  private readonly ending = new AbortController();
  private readonly ready: Event[] = [];
  private turning: { events: Event[]; size: number } | undefined;
  private waiting = 0;
  private flight: Promise<void> | undefined;

  constructor(
    private readonly faults: FaultSwitch,
    private readonly retryMs: number,
  ) {}

  /** Performs the verification GET; false when the address does not answer with the challenge. */
  async subscribe(subscription: WebhookSubscription): Promise<boolean> {
    const challenge = String(Math.floor(Math.random() * 1e9));
    const url = new URL(subscription.url);
    url.searchParams.set('hub.mode', 'subscribe');
    url.searchParams.set('hub.verify_token', subscription.verifyToken);
    url.searchParams.set('hub.challenge', challenge);
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const verified = answer.status === 200 && (await answer.text()) === challenge;
    if (verified) this.subscription = subscription;
    this.pump();
    return verified;
  }

  /** Events that are not delivered yet. */
  get pending(): number {
    return this.ready.length + this.waiting + (this.turning?.events.length ?? 0) + (this.flight ? 1 : 0);
  }

  send(value: unknown): void {
    const size = this.turning?.size ?? this.faults.takeAll('webhook_reordered');
    if (size > 0) return this.turnRound({ value, tries: 0 }, size);
    this.ready.push({ value, tries: 0 });
    this.pump();
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.flight;
  }

  private turnRound(event: Event, size: number): void {
    this.turning ??= { events: [], size };
    this.turning.events.unshift(event);
    if (this.turning.events.length < size) return;
    this.ready.push(...this.turning.events);
    this.turning = undefined;
    this.pump();
  }

  private pump(): void {
    if (this.flight || !this.subscription || this.ending.signal.aborted) return;
    this.flight = this.drain().finally(() => {
      this.flight = undefined;
      if (this.ready.length > 0) this.pump();
    });
  }

  private async drain(): Promise<void> {
    for (let event = this.ready.shift(); event && !this.ending.signal.aborted; event = this.ready.shift()) {
      const copies = this.faults.take('webhook_duplicated') ? 2 : 1;
      let taken = true;
      for (let copy = 0; copy < copies; copy++) taken = (await this.post(event.value)) && taken;
      if (!taken) this.later(event);
    }
  }

  private later(event: Event): void {
    this.waiting += 1;
    const ms = Math.min(LONGEST_PAUSE_MS, this.retryMs * 2 ** event.tries);
    event.tries += 1;
    pause(ms, undefined, { signal: this.ending.signal, ref: false }).then(
      () => {
        this.waiting -= 1;
        this.ready.push(event);
        this.pump();
      },
      () => undefined,
    );
  }

  private async post(value: unknown): Promise<boolean> {
    const { subscription } = this;
    if (!subscription) return false;
    const { url, appSecret } = subscription;
    const body = escaped({
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', changes: [{ value, field: 'messages' }] }],
    });
    const secret = this.faults.take('webhook_badly_signed') ? `${appSecret} of somebody else` : appSecret;
    const signal = timeLimit(TIMEOUT_MS, this.ending.signal);
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(body, secret) };
    const status = await fetch(url, { method: 'POST', headers, body, signal }).then(
      (answer) => answer.text().then(() => answer.status),
      () => 0,
    );
    this.attempts.push({ value, status });
    return status === 200;
  }
}
