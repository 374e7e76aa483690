import type { Cache } from '@platform/data';
import { TooMany, UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { SharedPlaces, timeLimit, type Logger } from '@platform/runtime';
import { SHARES, STAFF, type Asker } from './askers';
import type { ShippingProvider } from './port';

/** Requests at once, of all stores and of one: one whose requests hang leaves the others theirs. */
const PLACES = { places: 32, most: 6 };
const WAIT_MS = 2_000;
const DAY_SECONDS = 86_400;

export interface SharedProviderParts {
  readonly provider: ShippingProvider;
  readonly cache: Pick<Cache, 'increment'>;
  readonly logger: Logger;
  /** Requests that one store may cause in a day. */
  readonly mostADay: number;
}

/** Whether the provider could not tell, whatever for; a store that has asked too often gets no answer either. */
export const isAway = (failure: unknown): boolean =>
  failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut || failure instanceof TooMany;

const tooOften = (): TooMany =>
  new TooMany('The store has asked the provider of courier prices too often today', { retryAfterSeconds: 3_600 });

interface Asking {
  readonly storeId: string;
  readonly asker: Asker;
}

type Calls = Pick<ShippingProvider, 'provinces' | 'cities' | 'districts' | 'search' | 'prices' | 'track'>;

/**
 * The provider, of which each store has a share: so many requests at once, and so many a day, because the quota of the key is everybody's. Its
 * buyers, its staff and its parcels have each their own part of that. Who asks what is being asked already waits for that answer.
 */
export class SharedProvider {
  private readonly places = new SharedPlaces(PLACES);
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: SharedProviderParts) {}

  get name(): string {
    return this.parts.provider.name;
  }

  get mark(): string | null {
    return this.parts.provider.mark;
  }

  get isThere(): boolean {
    return this.parts.provider.isThere;
  }

  /** What a store asks, for whom. Rejects as the provider does, and with `TooMany` beyond the share. */
  of(storeId: string, asker: Asker = STAFF): Calls {
    const { provider } = this.parts;
    const ask = <T>(call: string, asked: readonly unknown[], answer: () => Promise<T>): Promise<T> => {
      const key = JSON.stringify([call, ...asked]);
      // Who asks twice takes one place and is counted once
      return this.joined(JSON.stringify([storeId, asker, key]), () => this.shared({ storeId, asker }, key, answer));
    };
    return {
      provinces: () => ask('provinces', [], () => provider.provinces()),
      cities: (province) => ask('cities', [province], () => provider.cities(province)),
      districts: (city) => ask('districts', [city], () => provider.districts(city)),
      search: (text, limit) => ask('search', [text, limit], () => provider.search(text, limit)),
      prices: (asked) => ask('prices', [asked], () => provider.prices(asked)),
      track: (asked) => ask('track', [asked], () => provider.track(asked)),
    };
  }

  private async shared<T>(by: Asking, key: string, answer: () => Promise<T>): Promise<T> {
    const leave = await this.places.acquire(by.storeId, timeLimit(WAIT_MS)).catch((cause: unknown) => {
      throw new TooMany('Too many questions to the provider of courier prices at once', {
        ...{ retryAfterSeconds: 2, cause },
      });
    });
    try {
      // What is asked already causes no request
      if (!this.running.has(key)) await this.counted(by);
      return await this.joined(key, answer);
    } finally {
      leave();
    }
  }

  /** Counts a request; one that is refused to a buyer is not counted for all of them. */
  private async counted({ storeId, asker: { share, each } }: Asking): Promise<void> {
    const { logger, mostADay } = this.parts;
    for (const { name, most } of each) if ((await this.raised(`${storeId} ${name}`)) > most) throw tooOften();
    const most = Math.ceil(mostADay * SHARES[share]);
    const count = await this.raised(`${storeId} ${share}`);
    if (count <= most) return;
    if (count === most + 1)
      logger.warn('a store has used up its share of the provider of courier prices', { storeId, share, most });
    throw tooOften();
  }

  /** The cache counts for all processes; while it is away nobody is refused. */
  private raised(name: string): Promise<number> {
    const { cache, logger } = this.parts;
    return cache.increment(`ship share ${name}`, DAY_SECONDS).catch((cause: unknown) => {
      logger.warn('the cache did not answer', { cause });
      return 0;
    });
  }

  private joined<T>(key: string, answer: () => Promise<T>): Promise<T> {
    const running = this.running.get(key) as Promise<T> | undefined;
    if (running) return running;
    const started = answer().finally(() => this.running.delete(key));
    this.running.set(key, started);
    return started;
  }
}
