import { Unavailable, Unexpected } from '@platform/errors';
import { systemClock, type Clock, type Component } from '@platform/runtime';
import { Pool } from 'undici';

/** Renewed this long before the end, so that a token does not expire in transit. */
export const RENEW_BEFORE_MS = 60_000;
const TIMEOUT_MS = 5_000;

export interface ServiceTokensOptions {
  readonly storeAuthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
  /** Whether a key, by its kid, is out of use: what it has signed is not used any more. */
  readonly isRevoked?: (kid: string) => boolean;
}

/** Our own tokens for calls to other services. */
export interface ServiceTokens extends Component {
  /**
   * A service token for one audience, and one store or any. Cached until 60 s before its end; concurrent callers
   * share one call. Rejects with `Unavailable` while store-auth is down, `Unexpected` when it refuses us.
   */
  for(audience: string, storeId?: string): Promise<string>;
}

export interface KeptTokens extends ServiceTokens {
  /** The tokens that are kept are good no more. */
  forget(): void;
}

interface Kept {
  readonly token: string;
  readonly kid: string;
  readonly renewAt: number;
}

interface TokenAnswer {
  readonly data?: { readonly access_token?: unknown; readonly expires_in?: unknown };
}

const REFUSALS: Readonly<Record<number, string>> = {
  401: 'does not know these credentials: check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET',
  403: 'does not allow this client that audience: check SERVICE_CLIENTS of store-auth',
};

const readAnswer = (status: number, text: string, what: string): { token: string; seconds: number } => {
  if (status >= 500 || status === 429)
    throw new Unavailable(`store-auth answered ${status} to the request for ${what}`, { retryAfterSeconds: 2 });
  if (status !== 200) throw new Unexpected(`store-auth ${REFUSALS[status] ?? `answered ${status}`} (${what})`);
  const { data } = JSON.parse(text) as TokenAnswer;
  if (typeof data?.access_token !== 'string' || typeof data.expires_in !== 'number')
    throw new Unexpected(`store-auth sent no token (${what})`);
  return { token: data.access_token, seconds: data.expires_in };
};

const keyIdOf = (token: string): string => {
  try {
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: unknown };
    return String(kid);
  } catch {
    // Whoever gets it will say what is wrong with it
    return '';
  }
};

class FetchedTokens implements KeptTokens {
  readonly name = 'service-tokens';
  private readonly pool: Pool;
  private readonly path: string;
  private readonly kept = new Map<string, Kept>();
  private readonly underWay = new Map<string, Promise<string>>();

  constructor(private readonly options: ServiceTokensOptions) {
    const { origin, pathname } = new URL(options.storeAuthUrl);
    this.pool = new Pool(origin, { connections: 2 });
    this.path = `${pathname.replace(/\/$/, '')}/internal/service-tokens`;
  }

  for(audience: string, storeId?: string): Promise<string> {
    const key = `${audience} ${storeId ?? ''}`;
    const now = this.now();
    const known = this.kept.get(key);
    if (known && known.renewAt > now && !this.options.isRevoked?.(known.kid)) return Promise.resolve(known.token);
    for (const [each, { renewAt }] of this.kept) if (renewAt <= now) this.kept.delete(each);
    const waiting =
      this.underWay.get(key) ?? this.fetch(key, audience, storeId).finally(() => this.underWay.delete(key));
    this.underWay.set(key, waiting);
    return waiting;
  }

  forget(): void {
    this.kept.clear();
  }

  stop(): Promise<void> {
    return this.pool.close();
  }

  private now(): number {
    return (this.options.clock ?? systemClock).now().getTime();
  }

  private async fetch(key: string, audience: string, storeId: string | undefined): Promise<string> {
    const askedAt = this.now();
    const { status, text } = await this.ask(JSON.stringify({ audience, store_id: storeId })).catch((cause: unknown) => {
      throw new Unavailable('store-auth cannot be reached', { retryAfterSeconds: 2, cause });
    });
    const { token, seconds } = readAnswer(status, text, `a token of ${this.options.clientId} for ${audience}`);
    this.kept.set(key, { token, kid: keyIdOf(token), renewAt: askedAt + seconds * 1000 - RENEW_BEFORE_MS });
    return token;
  }

  private async ask(body: string): Promise<{ status: number; text: string }> {
    const { clientId, clientSecret, timeoutMs = TIMEOUT_MS } = this.options;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const answer = await this.pool.request({
      path: this.path,
      method: 'POST',
      body,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { authorization, 'content-type': 'application/json' },
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }
}

/** Tokens from `POST /internal/service-tokens` (store-auth design 2.4), HTTP Basic with client id and secret. */
export const serviceTokens = (options: ServiceTokensOptions): KeptTokens => new FetchedTokens(options);
