import { refusalOf } from '@platform/envelopes';
import { Unavailable, UpstreamFailed, type Failure } from '@platform/errors';
import { withTimeLimit } from '@platform/runtime';
import { Breaker, type BreakerOptions, type Sign } from './breaker';
import type { CallAnswer, CallOptions, HttpClient, PeerHealth } from './client';
import { failureOf, isOverlong, silenceOf, type FailedCall, type FailureRules } from './peer-failure';
import { formBody, type FormFields, type FormFile } from './peer-form';
import type { PeerPath } from './peer-path';

export interface SignedCall {
  readonly method: string;
  readonly path: string;
  /** As it is sent; empty without one. */
  readonly body: string;
}

export interface PeerOptions extends FailureRules {
  /** Milliseconds for a whole call, all its tries included. Getting a service token has its own limit. */
  readonly timeoutMs: number;
  /** Our service token for this sibling, for one store or any. Without it calls carry none. */
  readonly token?: (storeId?: string) => Promise<string> | string;
  /** Headers that prove a call, made anew for every try; `path` is as the sibling sees it, with the query. */
  readonly sign?: (call: SignedCall) => Readonly<Record<string, string>>;
  readonly breaker?: BreakerOptions;
  /** Most calls in flight; one more fails at once, so that a hanging sibling does not block this service too. */
  readonly concurrency?: number;
}

export interface PeerCall<T = unknown> extends Pick<CallOptions, 'method' | 'json' | 'headers' | 'retries' | 'signal'> {
  readonly path: PeerPath;
  /** Sent as `multipart/form-data` instead of `json`. */
  readonly form?: FormFields;
  /** Behind the fields of `form`; such a call is not repeated. */
  readonly file?: FormFile;
  /** Undefined members are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** The store that the call is for: our service token is for it, and `X-Store-Id` names it, where the caller has brought no token. */
  readonly storeId?: string;
  /** Time-out other than the peer's default. */
  readonly timeoutMs?: number;
  /** Whether the body has the expected content; otherwise the call is `UpstreamFailed`. */
  readonly fits?: (body: Partial<T>) => boolean;
}

export interface PeerAnswer<T> {
  readonly body: T;
  readonly headers: CallAnswer['headers'];
}

/** One of our own services, as another of them calls it. */
export interface Peer {
  readonly name: string;
  /**
   * The body of a success. Everything else is a failure: a refusal by the map of `refusals`; 429 `TooMany` with the
   * sibling's own waiting time; our token refused `UpstreamFailed`, the caller's `Unauthenticated` or `Forbidden`; silence
   * `UpstreamTimedOut`; no connection, 5xx, another refusal or nonsense `UpstreamFailed`; 503 with Retry-After `Unavailable`.
   */
  ask<T extends object>(call: PeerCall<T>): Promise<T>;
  /** As `ask`, with the headers of the answer. */
  exchange<T extends object>(call: PeerCall<T>): Promise<PeerAnswer<T>>;
  /** The same sibling on behalf of our caller: sends the given bearer token instead of ours. */
  as(bearer: string): Peer;
}

const CONCURRENCY = 128;
/**
 * A proxy reports that the sibling is down. A 500 is one request that failed, and a 503 with Retry-After comes from the
 * sibling itself, perhaps for one conversation or store.
 */
const isAway = ({ status, headers }: CallAnswer): boolean =>
  status === 502 || status === 504 || (status === 503 && headers['retry-after'] === undefined);

const withQuery = (address: string, query: PeerCall['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? address : `${address}?${String(new URLSearchParams(given))}`;
};

/** All our services answer with an object, even without data. */
const isGood = <T extends object>(
  { status }: CallAnswer,
  body: T | undefined,
  fits: PeerCall<T>['fits'] = () => true,
): body is T =>
  status >= 200 &&
  status < 300 &&
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  refusalOf(status, body) === undefined &&
  fits(body);

/** What all callers of a sibling share: its connections, its breaker, its share of calls. */
class Line implements PeerHealth {
  readonly breaker: Breaker;
  refusedCalls = 0;
  private underWay = 0;

  constructor(
    readonly name: string,
    readonly http: HttpClient,
    readonly options: PeerOptions,
  ) {
    this.breaker = new Breaker(options.breaker);
  }

  get state() {
    return this.breaker.state;
  }

  /** Runs the call when the sibling may be called, and reports the outcome to the breaker; a call that our side abandoned shows nothing. */
  async run(
    call: FailedCall,
    options: CallOptions,
    { signal: givenUp, storeId }: Pick<PeerCall, 'signal' | 'storeId'>,
  ): Promise<CallAnswer> {
    if (this.underWay >= (this.options.concurrency ?? CONCURRENCY)) throw this.refused('is overloaded', 1);
    const report = this.breaker.admit(storeId);
    if (!report) throw this.refused('has not answered lately', this.breaker.secondsLeft());
    let sign: Sign = 'absent';
    this.underWay += 1;
    try {
      const answer = await this.http.call(options);
      if (!isAway(answer)) sign = 'alive';
      return answer;
    } catch (thrown) {
      if (isOverlong(thrown)) sign = 'alive';
      else if (givenUp?.aborted) sign = 'unknown';
      throw silenceOf(call, thrown, this.options);
    } finally {
      this.underWay -= 1;
      report(sign);
    }
  }

  private refused(what: string, retryAfterSeconds: number): Failure {
    this.refusedCalls += 1;
    const message = `${this.name} ${what}`;
    return this.options.absence ? new Unavailable(message, { retryAfterSeconds }) : new UpstreamFailed(message);
  }
}

class HttpPeer implements Peer {
  constructor(
    private readonly line: Line,
    private readonly bearer?: string,
  ) {}

  get name(): string {
    return this.line.name;
  }

  as(bearer: string): Peer {
    return new HttpPeer(this.line, bearer);
  }

  async ask<T extends object>(call: PeerCall<T>): Promise<T> {
    return (await this.exchange<T>(call)).body;
  }

  async exchange<T extends object>(call: PeerCall<T>): Promise<PeerAnswer<T>> {
    const { path, query, method = 'GET', json, retries = 0, timeoutMs = this.line.options.timeoutMs } = call;
    const { name, options } = this.line;
    const asked: FailedCall = { name, method, template: path.template, asCaller: this.bearer !== undefined };
    const form = (call.form ?? call.file) && formBody(call.form ?? {}, call.file);
    const headers = { ...call.headers, ...form?.headers, ...(await this.credentials(call.storeId)) };
    const signed = {
      method,
      path: withQuery(path.address, query),
      body: typeof form?.body === 'string' ? form.body : json === undefined ? '' : JSON.stringify(json),
    };
    const sign = options.sign && ((): Readonly<Record<string, string>> => options.sign?.(signed) ?? {});
    const request = { method, json, body: form?.body, headers, sign, retries, timeoutMs, path: signed.path };
    const run = (signal?: AbortSignal) => this.line.run(asked, { ...request, ...(signal && { signal }) }, call);
    const answer = await (retries > 0 ? withTimeLimit(timeoutMs, [call.signal], run) : run(call.signal));
    const body = answer.json<T>();
    if (!isGood(answer, body, call.fits)) throw failureOf(asked, answer, options);
    return { body, headers: answer.headers };
  }

  private async credentials(storeId: string | undefined): Promise<Record<string, string>> {
    if (this.bearer !== undefined) return { authorization: `Bearer ${this.bearer}` };
    const { token } = this.line.options;
    return {
      ...(token ? { authorization: `Bearer ${await token(storeId)}` } : {}),
      ...(storeId ? { 'x-store-id': storeId } : {}),
    };
  }
}

/**
 * The one way to call a sibling: token, time-out, breaker and the meaning of its refusals, settled once. No token, body or id
 * gets into a failure. The caller stops `http`; as a component of the service it exposes the breaker on /metrics.
 */
export const peer = (name: string, http: HttpClient, options: PeerOptions): Peer => {
  const line = new Line(name, http, options);
  http.peers?.push(line);
  return new HttpPeer(line);
};
