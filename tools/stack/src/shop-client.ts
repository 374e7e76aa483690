import { LIMIT_MS } from './demo-calls';

interface Answer<Data> {
  readonly data: Data;
  readonly access_token?: string;
  readonly message?: string;
}

/** The API of commerce-api, as a person's client uses it. */
export class ShopClient {
  constructor(
    readonly url: string,
    private readonly token?: string,
  ) {}

  /** The same as whoever has the token. */
  as(token: string): ShopClient {
    return new ShopClient(this.url, token);
  }

  /** Throws with what was asked and why it was refused. */
  async answer(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    if (answer.ok) return answer;
    throw new Error(`${method} /api${path} answered HTTP ${answer.status}: ${await answer.text()}`);
  }

  async call<Data>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Data> {
    return ((await (await this.answer(method, path, body, headers)).json()) as Answer<Data>).data;
  }

  /** Signs in; resolves to the same as that person. */
  async login(email: string, password: string): Promise<ShopClient> {
    const answer = await this.answer('POST', '/auth/login', { email, password });
    return this.as(((await answer.json()) as Answer<unknown>).access_token ?? '');
  }

  /** Another store of the same person. */
  async in(storeId: string): Promise<ShopClient> {
    const answer = await this.answer('POST', '/auth/switch-store', { store_id: storeId });
    return this.as(((await answer.json()) as Answer<unknown>).access_token ?? '');
  }
}
