export interface CallResult {
  readonly status: number;
  /** Parsed when it is JSON, the text otherwise. */
  readonly body: unknown;
  readonly headers: Headers;
}

export interface CallRequest {
  readonly method?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, forms and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

type RawBody = NonNullable<RequestInit['body']>;

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' || body instanceof FormData || body instanceof URLSearchParams || Buffer.isBuffer(body);

const headersOf = ({ token, headers, body }: CallRequest): Record<string, string> => ({
  ...(body !== undefined && (!isRaw(body) || typeof body === 'string') ? { 'content-type': 'application/json' } : {}),
  // Both ends are this process: packing would be most of what a call costs
  'accept-encoding': 'identity',
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...headers,
});

/** Calls a service under test over HTTP. */
export const caller =
  (baseUrl: string) =>
  async (path: string, request: CallRequest = {}): Promise<CallResult> => {
    const { body, method = body === undefined ? 'GET' : 'POST' } = request;
    const answer = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: headersOf(request),
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
  };
