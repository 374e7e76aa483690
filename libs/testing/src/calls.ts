import type { IncomingHttpHeaders } from 'node:http';
import { request as send } from 'undici';
import { formBytes } from './form-bytes';

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

interface Sent {
  readonly bytes?: string | Buffer;
  readonly type?: string;
}

const sentOf = async (body: unknown): Promise<Sent> => {
  if (body === undefined) return {};
  if (body instanceof FormData) return formBytes(body);
  if (body instanceof URLSearchParams)
    return { bytes: String(body), type: 'application/x-www-form-urlencoded;charset=UTF-8' };
  if (Buffer.isBuffer(body)) return { bytes: body };
  return { bytes: typeof body === 'string' ? body : JSON.stringify(body), type: 'application/json' };
};

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const headersOf = ({ token, headers = {} }: CallRequest, type: string | undefined): Record<string, string> => ({
  // As `fetch` does
  ...{ accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
  ...(type === undefined ? {} : { 'content-type': type }),
  // Both ends are this process: packing would be most of what a call costs
  'accept-encoding': 'identity',
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...lowerCased(headers),
});

const headersFrom = (received: IncomingHttpHeaders): Headers =>
  new Headers(
    Object.entries(received).flatMap(([name, values = []]) =>
      [values].flat().map((value) => [name, value] as [string, string]),
    ),
  );

/** Calls a service under test over HTTP, as a browser's `fetch` would, whose streams would be most of what a call costs. */
export const caller =
  (baseUrl: string) =>
  async (path: string, request: CallRequest = {}): Promise<CallResult> => {
    const { method = request.body === undefined ? 'GET' : 'POST' } = request;
    const { bytes, type } = await sentOf(request.body);
    const answer = await send(baseUrl + path, {
      method: method as 'POST',
      headers: headersOf(request, type),
      ...(bytes === undefined ? {} : { body: bytes }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return {
      status: answer.statusCode,
      body: isJson ? JSON.parse(text) : text,
      get headers() {
        return headersFrom(answer.headers);
      },
    };
  };
