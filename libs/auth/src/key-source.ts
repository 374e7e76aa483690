import type { KeyObject } from 'node:crypto';
import { Unavailable } from '@platform/errors';
import { outage, systemClock, type Clock, type Logger, type Outage } from '@platform/runtime';
import { request } from 'undici';
import { publicJwks, verificationKeys, type PublicJwk } from './signing-key';

/** Where a verifier finds the public key of a kid. Key objects are made once per kid. */
export interface KeySource {
  /** The key, or undefined when no such key exists. Rejects with `Unavailable` when that cannot be told. */
  find(kid: string): Promise<KeyObject | undefined>;
  /** Rejects until keys have been loaded once; for /ready. */
  check(): Promise<void>;
  /** Reads the keys again now, where they are somebody else's: another key signs than was announced. Never rejects. */
  renew?(): Promise<void>;
}

export const JWKS_TTL_MS = 10 * 60_000;
export const JWKS_REFETCH_MS = 30_000;
const JWKS_TIMEOUT_MS = 5_000;
/** Nothing loaded yet: avoids hammering a store-auth that is starting. */
const FIRST_LOAD_RETRY_MS = 1_000;

/** The process's own keys, for the service that signs. `current` is called each time, so a rotation shows at once. */
export const localKeys = (current: () => readonly { readonly publicJwk: PublicJwk }[]): KeySource => {
  let known = new Map<string, KeyObject>();
  return {
    find: (kid) => {
      const listed = current();
      if (listed.length !== known.size || !listed.every(({ publicJwk }) => known.has(publicJwk.kid)))
        known = verificationKeys(publicJwks(listed));
      return Promise.resolve(known.get(kid));
    },
    check: () => Promise.resolve(),
  };
};

const fetchJwks = async (url: string): Promise<Map<string, KeyObject>> => {
  const { statusCode, body } = await request(url, {
    signal: AbortSignal.timeout(JWKS_TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`the key server answered ${statusCode}`);
  }
  const keys = verificationKeys(await body.json());
  if (keys.size === 0) throw new Error('the key server listed no usable RSA key');
  return keys;
};

interface RemoteKeysOptions {
  readonly url: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Tokens cannot be checked yet: a guard's refusal, whichever token was sent. */
export const keysNotLoaded = (): Unavailable =>
  new Unavailable('the public keys of store-auth are not loaded yet', {
    code: 'keys_not_loaded',
    retryAfterSeconds: 2,
  });

class RemoteKeys implements KeySource {
  private keys = new Map<string, KeyObject>();
  private loadedAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private underWay: Promise<void> | undefined;
  /** The last try has failed. */
  private isLost = false;
  private readonly now: () => number;
  private readonly server: Outage;

  constructor(private readonly options: RemoteKeysOptions) {
    const { clock = systemClock, logger } = options;
    this.now = () => clock.now().getTime();
    const texts = { failed: 'public keys could not be loaded', answered: 'public keys are loaded again' };
    this.server = outage(texts, logger, clock);
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    await this.check();
    const key = this.keys.get(kid);
    if (!key) return this.another(kid);
    if (this.isPast(this.loadedAt, JWKS_TTL_MS)) void this.refresh(JWKS_REFETCH_MS);
    return key;
  }

  async check(): Promise<void> {
    if (this.keys.size === 0) await this.refresh(FIRST_LOAD_RETRY_MS);
    if (this.keys.size > 0) return;
    throw keysNotLoaded();
  }

  renew(): Promise<void> {
    return this.refresh(0);
  }

  /** One that may be newer than what is known. Where nobody can tell, a refusal of its token would log its holder out. */
  private async another(kid: string): Promise<KeyObject | undefined> {
    await this.refresh(JWKS_REFETCH_MS);
    const key = this.keys.get(kid);
    if (!key && this.isLost) throw keysNotLoaded();
    return key;
  }

  /** Joins the fetch in flight, or begins one when the last is long enough ago. Never rejects. */
  private refresh(minimumPause: number): Promise<void> {
    if (!this.underWay && this.isPast(this.triedAt, minimumPause)) this.underWay = this.load();
    return this.underWay ?? Promise.resolve();
  }

  /** Also when the clock was set back since: nobody knows how long ago it was. */
  private isPast(since: number, milliseconds: number): boolean {
    const now = this.now();
    return now - since >= milliseconds || now < since;
  }

  private async load(): Promise<void> {
    const { url } = this.options;
    this.triedAt = this.now();
    try {
      this.keys = await fetchJwks(url);
      this.loadedAt = this.triedAt;
      this.isLost = false;
      this.server.answered();
    } catch (cause) {
      this.isLost = true;
      this.server.failed({ url, cause: String(cause), keptKeys: this.keys.size });
    } finally {
      this.underWay = undefined;
    }
  }
}

/**
 * Keys of a JWKS address. They are cached for ten minutes and then renewed in the background, so no request waits for it; an
 * unknown kid fetches at most once per 30 s (all callers share that fetch); the last usable keys serve as long as the key
 * server is down. Until the first load succeeds, and for an unknown kid after a load that failed, `find` rejects with `Unavailable`:
 * answering 401 would log clients out.
 */
export const remoteKeys = (options: RemoteKeysOptions): KeySource => new RemoteKeys(options);
