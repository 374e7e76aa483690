import { callbackHeaders } from '@platform/contracts';
import { httpClient, type CallAnswer, type HttpClient } from '@platform/http';
import type { Deliver, OutgoingRow, Verdict } from '@platform/outbox';
import type { Clock, Component } from '@platform/runtime';
import type { MediaRef } from '../../engines/engine.types';
import { callbackBody, type FilePart } from './callback.body';
import type { CallbackRow } from './callback.row';
import { answerVerdict, noAnswerVerdict, type Patience } from './callback.verdict';
import { withProgress } from './upload-progress';

const FILE_SECONDS = 5;
/** As long as a receiver goes on taking a file: 16 MB at 140 KB a second. */
const UPLOAD_SECONDS = 120;
const ANSWER_BYTES = 64 * 1024;
const PATH = '/callback_message';

export interface CallbackDeliveryOptions {
  readonly patience: Patience;
  readonly clock: Clock;
  /** What the receiver of this device's callbacks can check signatures with. */
  readonly secretOf: (instanceId: string) => Promise<string | undefined>;
  /** WEBHOOK_TIMEOUT, 15 when left out: how long a receiver may take nothing, and how long it may take for an answer. */
  readonly timeoutSeconds?: number;
  /** Bytes of files that may be in flight at once; one file may always go (WEBHOOK_INFLIGHT_BYTES). */
  readonly inflightBytes?: number;
  /** The stored file of a media message; without it a callback goes without the part. */
  readonly fileOf?: (file: MediaRef) => Promise<FilePart | undefined>;
}

const CROWDED: Verdict = { verdict: 'retry', reason: 'too many files are under way', spend: false, afterSeconds: 0.2 };

/** Takes rows of the outbox to `{webhook_url}/callback_message` and judges the answers (design 3.5). */
export class CallbackDelivery implements Component {
  readonly name = 'callback delivery';
  private inflight = 0;
  private readonly receivers = new Map<string, HttpClient>();

  private readonly timeoutSeconds: number;

  constructor(private readonly options: CallbackDeliveryOptions) {
    this.timeoutSeconds = options.timeoutSeconds ?? 15;
  }

  /** The longest that `deliver` takes: a post with the file, one without it, and the reading of the file. */
  get callSeconds(): number {
    return FILE_SECONDS + UPLOAD_SECONDS + 2 * this.timeoutSeconds;
  }

  readonly deliver: Deliver<CallbackRow> = async (row, signal) => {
    const { patience, clock, fileOf, inflightBytes = Infinity } = this.options;
    const size = row.payload.file?.size ?? 0;
    // 32 lanes with 16 MB each would be half a gigabyte: the lane comes back when others are through (design 3.5)
    if (size > 0 && this.inflight > 0 && this.inflight + size > inflightBytes) return CROWDED;
    this.inflight += size;
    try {
      const file = row.payload.file && (await fileOf?.(row.payload.file));
      let answer = await this.post(row, signal, file);
      // The receiver takes less than we thought: it still has `fileUrl`
      if (answer.status === 413 && file) answer = await this.post(row, signal);
      return answerVerdict(answer, row, patience, clock.now());
    } catch (cause) {
      return noAnswerVerdict(`no answer: ${(cause as Error).message}`, patience);
    } finally {
      this.inflight -= size;
    }
  };

  async stop(): Promise<void> {
    await Promise.all([...this.receivers.values()].map((receiver) => receiver.stop?.()));
    this.receivers.clear();
  }

  private async post(row: OutgoingRow<CallbackRow>, signal: AbortSignal, file?: FilePart): Promise<CallAnswer> {
    const { callback } = row.payload;
    const secret = await this.options.secretOf(callback.instanceID);
    const { contentType, bytes } = callbackBody(callback, row.eventId, file);
    const stamp = {
      timestamp: this.options.clock.now().getTime(),
      eventId: row.eventId,
      // Every try since the last success counts here, also those that a receiver which was away did not spend
      attempt: row.failures + 1,
      rawBody: bytes,
    };
    const headers = { 'content-type': contentType, ...callbackHeaders(secret, stamp) };
    const call = { method: 'POST', path: PATH, headers, keepBytes: ANSWER_BYTES } as const;
    const silenceMs = this.timeoutSeconds * 1_000;
    const receiver = this.receiver(row.target);
    if (!file) return receiver.call({ ...call, body: bytes, signal, timeoutMs: silenceMs });
    const { done, ...upload } = withProgress(bytes, silenceMs, signal);
    const length = { 'content-length': String(bytes.length) };
    const timeoutMs = silenceMs + UPLOAD_SECONDS * 1_000;
    return receiver.call({ ...call, ...upload, headers: { ...headers, ...length }, timeoutMs }).finally(done);
  }

  private receiver(url: string): HttpClient {
    const known = this.receivers.get(url);
    if (known) return known;
    const receiver = httpClient('callback receiver', url);
    this.receivers.set(url, receiver);
    return receiver;
  }
}
