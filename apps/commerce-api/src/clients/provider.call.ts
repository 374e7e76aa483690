import { Unavailable, UpstreamFailed, UpstreamTimedOut, type Outcome } from '@platform/errors';
import { Breaker, type BreakerOptions, type CallAnswer, type HttpClient } from '@platform/http';

export interface ProviderCall {
  readonly method: 'GET' | 'POST';
  /** With its ids; failures show `template`. */
  readonly path: string;
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as it is signed. */
  readonly body?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Answers beside 2xx that are none of failure. */
  readonly also?: readonly number[];
  /** What this status means, where the usual reading is wrong. */
  readonly meaning?: Readonly<Record<number, Outcome>>;
}

export interface ProviderAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A payment provider over HTTP. */
export interface ProviderLine {
  readonly name: string;
  /**
   * The JSON of a success. Rejects with `UpstreamTimedOut` or `UpstreamFailed`, whose `outcome` says what became of the request; no key,
   * signature, body or id gets into a failure. Redirects are not followed.
   */
  ask(call: ProviderCall): Promise<ProviderAnswer>;
  /** What a wrong answer to a request becomes that may have been done. */
  nonsense(call: Pick<ProviderCall, 'method' | 'template'>): UpstreamFailed;
}

/** Their answers have a few KB. */
const MOST_BYTES = 256 * 1024;
const TIMEOUTS = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);
/** Nothing of the request was sent. */
const NOT_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...[
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
]);

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408;

const outcomeOf = ({ meaning = {} }: ProviderCall, status: number): Outcome => {
  const given = meaning[status];
  if (given !== undefined) return given;
  if (status === 429) return 'undone';
  return isRefusal(status) ? 'refused' : 'unknown';
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const memberOf = (body: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    body,
  );

/** The provider's own code of a refusal, as a log may have it. */
const codeOf = (body: unknown): string => {
  const code = [memberOf(body, 'error', 'code'), memberOf(body, 'error_code'), memberOf(body, 'statusCode')].find(
    (each) => typeof each === 'string',
  );
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : '';
};

class HttpProviderLine implements ProviderLine {
  private readonly breaker: Breaker;

  constructor(
    readonly name: string,
    private readonly http: HttpClient,
    options: BreakerOptions,
  ) {
    this.breaker = new Breaker(options);
  }

  async ask(call: ProviderCall): Promise<ProviderAnswer> {
    const report = this.breaker.admit();
    if (!report) throw new UpstreamFailed(`${this.name} has not answered lately`, { outcome: 'undone' });
    const answer = await this.exchange(call).catch((thrown: unknown) => {
      report(call.signal?.aborted ? 'unknown' : 'absent');
      throw this.silence(thrown);
    });
    // 502 and 504 come from what stands before it
    report(answer.status === 502 || answer.status === 504 ? 'absent' : 'alive');
    return this.read(call, answer);
  }

  nonsense({ method, template }: Pick<ProviderCall, 'method' | 'template'>): UpstreamFailed {
    const cause = new Error(`${this.name} answered ${method} ${template} with something else than was asked for`);
    return new UpstreamFailed(`${this.name} answered with something else than was asked for`, { cause });
  }

  private exchange({ method, path, headers, body, timeoutMs, signal }: ProviderCall): Promise<CallAnswer> {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return this.http.call({
      ...{ method, path, body, timeoutMs, keepBytes: MOST_BYTES },
      headers: { accept: 'application/json', ...type, ...headers },
      ...(signal ? { signal } : {}),
    });
  }

  private read(call: ProviderCall, { status, text }: CallAnswer): ProviderAnswer {
    const body = parsed(text);
    const isGood = (status >= 200 && status < 300) || call.also?.includes(status);
    if (isGood && (body !== undefined || status === 404)) return { status, body };
    if (isGood) throw this.nonsense(call);
    const cause = new Error(`${this.name} answered ${status}${codeOf(body)} to ${call.method} ${call.template}`);
    throw new UpstreamFailed(`${this.name} answered ${status}`, { outcome: outcomeOf(call, status), cause });
  }

  private silence(thrown: unknown): UpstreamFailed | UpstreamTimedOut {
    const cause = thrown instanceof Unavailable ? thrown.cause : thrown;
    const { name = '', code } = (cause ?? {}) as { name?: string; code?: unknown };
    const outcome: Outcome = typeof code === 'string' && NOT_SENT.has(code) ? 'undone' : 'unknown';
    // By name: an aborted call throws a DOMException, which is not an Error everywhere
    return TIMEOUTS.has(name)
      ? new UpstreamTimedOut(`${this.name} did not answer in time`, { outcome, cause })
      : new UpstreamFailed(`${this.name} did not answer`, { outcome, cause });
  }
}

/** The one way to call a payment provider: whole time-out, bounded answer, one breaker for all accounts, what a failure leaves open. */
export const providerLine = (name: string, http: HttpClient, breaker: BreakerOptions = {}): ProviderLine =>
  new HttpProviderLine(name, http, breaker);
