import { Unavailable } from '@platform/errors';
import { httpClient, type CallAnswer, type HttpClient } from '@platform/http';

/** Meta's refusal: the call had no effect. */
export class GraphRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    details: string,
  ) {
    super(details);
  }
}

/** The call did not leave this machine. */
export class GraphUnreachable extends Error {}

/** There was no answer, or none of Meta's: the call may have had its effect. */
export class GraphUncertain extends Error {}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly code?: number; readonly error_data?: { details?: string } };
}

/** What can only happen before the first byte of a request was sent. */
const NEVER_LEFT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Told by its code: the error may come from another realm. */
const codeOf = (failure: unknown): string =>
  typeof failure === 'object' && failure !== null && 'code' in failure ? String(failure.code) : '';

/** The failure underneath a call that got no answer, as one of the two above. */
export const unanswered = (cause: unknown): Error => {
  const reason = cause instanceof Unavailable ? cause.cause : cause;
  const message = reason instanceof Error ? reason.message : 'no answer';
  return NEVER_LEFT.has(codeOf(reason))
    ? new GraphUnreachable(message, { cause })
    : new GraphUncertain(message, { cause });
};

/** What an answer says, or throws it: an HTTP error is a failure, never data (design 5.3). Meta's words may repeat the token. */
export const answered = <T extends object>({ status, json }: Pick<CallAnswer, 'status' | 'json'>, token: string): T => {
  const body = json<T & ErrorBody>();
  const { error } = body ?? {};
  if (typeof error?.code === 'number') {
    const words = error.error_data?.details ?? error.message ?? `error ${error.code}`;
    throw new GraphRefusal(status, error.code, words.replaceAll(token, '***'));
  }
  if (status >= 400 && status < 500) throw new GraphRefusal(status, status, `Meta answered ${status}`);
  if (status >= 300 || !body) throw new GraphUncertain(`Meta answered ${status} and no JSON`);
  return body;
};

export interface GraphOptions {
  /** WA_CLOUD_BASE_URL. */
  readonly baseUrl: string;
  /** WA_CLOUD_VERSION. */
  readonly version: string;
  readonly timeoutMs: number;
}

/** Calls of the Graph API with a device's token (design 5.3). */
export class GraphClient {
  readonly http: HttpClient;

  constructor(readonly options: GraphOptions) {
    this.http = httpClient('graph', options.baseUrl, { timeoutMs: options.timeoutMs });
  }

  /** Throws `GraphRefusal`, `GraphUnreachable` or `GraphUncertain`. `path` begins behind the version. */
  async call<T extends object>(token: string, path: string, json?: object, signal?: AbortSignal): Promise<T> {
    const request = { path: this.pathOf(path), headers: { authorization: `Bearer ${token}` }, signal };
    const answer = await this.http
      .call(json === undefined ? request : { ...request, method: 'POST', json })
      .catch((cause: unknown) => {
        throw unanswered(cause);
      });
    return answered<T>(answer, token);
  }

  /** `/v24.0/…` */
  pathOf(path: string): string {
    return `/${this.options.version}${path}`;
  }
}
