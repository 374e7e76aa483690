import type { Cache, Sql } from '@platform/data';
import { UpstreamTimedOut } from '@platform/errors';
import { timeLimit, type Clock, type Logger } from '@platform/runtime';
import { namesOfArea, type Areas } from '../areas/public';
import { STAFF, type Asker } from '../askers';
import type { CourierPrice, PriceAsked } from '../port';
import { keep, readKept } from '../quiet.cache';
import { isAway, type SharedProvider } from '../shared.provider';
import type { Offer, RateSource, Sending } from '../rates/public';
import { couriersOf } from './couriers.sql';
import type { Couriers } from './couriers.dto';
import { byWeight } from './weight';

const FRESH_MS = 10 * 60_000;
/** How long a price is better than none, when the provider cannot tell. */
const STALE_SECONDS = 86_400;
/** The provider takes no heavier parcel. */
const HEAVIEST_G = 150_000;
/** What a buyer waits for couriers; what they tell later is there for the next one. */
const PATIENCE_MS = 2_500;
const BP = 10_000n;

/** From the warehouse, else from the store's default one, else from where the store says it is. */
const ORIGIN = `SELECT coalesce(
    (SELECT w.address->>'area_id' FROM warehouse w WHERE w.store_id = $1 AND w.id = $2),
    (SELECT w.address->>'area_id' FROM warehouse w WHERE w.store_id = $1 AND w.is_default AND $2::uuid IS NULL),
    (SELECT s.address->>'area_id' FROM store s WHERE s.store_id = $1)) AS id`;

interface Kept {
  readonly at: number;
  readonly prices: readonly CourierPrice[];
}

export interface CourierRatesParts {
  readonly database: Sql;
  readonly cache: Pick<Cache, 'get' | 'set'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly provider: SharedProvider;
  readonly areas: Areas;
}

const marked = (cost: number, { percent_bp, fixed }: Couriers['couriers'][number]['markup']): number =>
  cost + Number((BigInt(cost) * BigInt(percent_bp) + BP - 1n) / BP) + fixed;

const isFree = ({ free_shipping: free }: Couriers, subtotal: number, cost: number): boolean =>
  free !== null && subtotal >= free.min_subtotal && (free.max_cost === null || cost <= free.max_cost);

/** The answer, or `UpstreamTimedOut` where it takes longer than the limit; the question goes on. */
const within = <T>(limit: AbortSignal, answer: Promise<T>): Promise<T> => {
  const over = new Promise<never>((_, reject) => {
    const end = () => reject(new UpstreamTimedOut('The couriers did not answer in time'));
    if (limit.aborted) end();
    limit.addEventListener('abort', end, { once: true });
  });
  over.catch(() => undefined);
  answer.catch(() => undefined);
  return Promise.race([answer, over]);
};

/** What was answered of several questions; rejects as the first one when none was, and with whatever is no provider's failure. */
const answered = async <T>(questions: readonly Promise<T>[]): Promise<T[]> => {
  const all = await Promise.allSettled(questions);
  const failures = all.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const [failure] = failures.length === all.length ? failures : failures.filter((each) => !isAway(each));
  if (failure !== undefined) throw failure;
  return all.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
};

/** What couriers take for a parcel, as the provider tells it. */
export class CourierRates {
  constructor(private readonly parts: CourierRatesParts) {}

  /** Prices of the provider: those of the last ten minutes, else new ones, else older ones. Rejects when it has none at all. */
  async prices(storeId: string, asked: PriceAsked, asker: Asker = STAFF): Promise<readonly CourierPrice[]> {
    const { provider, clock } = this.parts;
    const { space, origin, destination, weightG, couriers } = asked;
    const key = `ship ${JSON.stringify([provider.name, space, origin, destination, weightG, couriers])}`;
    const before = await readKept<Kept>(this.parts, key);
    const now = clock.now().getTime();
    if (before && now - before.at < FRESH_MS) return before.prices;
    try {
      const prices = await provider.of(storeId, asker).prices(asked);
      await keep(this.parts, key, { at: now, prices } satisfies Kept, STALE_SECONDS);
      return prices;
    } catch (failure) {
      if (before && isAway(failure)) return before.prices;
      throw failure;
    }
  }

  /** The couriers that the store has chosen, with its terms; nothing when the provider cannot tell: own methods are left. */
  readonly source: RateSource = async (sending) => {
    const setting = await couriersOf(this.parts.database, sending.storeId);
    const chosen = setting.couriers.filter(({ active }) => active);
    if (!this.parts.provider.isThere || chosen.length === 0 || sending.weightG > HEAVIEST_G) return [];
    try {
      return await this.offers(sending, { ...setting, couriers: chosen });
    } catch (failure) {
      if (!isAway(failure)) throw failure;
      this.parts.logger.warn('couriers are not offered: the provider does not tell', {
        storeId: sending.storeId,
        failure,
      });
      return [];
    }
  };

  private async offers(sending: Sending, setting: Couriers): Promise<Offer[]> {
    const { storeId, place, warehouseId, weightG, asker } = sending;
    const limit = timeLimit(PATIENCE_MS);
    const [row] = await this.parts.database.prepared<{ id: string | null }>('sent from', ORIGIN, [
      storeId,
      warehouseId ?? null,
    ]);
    const origin = row?.id ?? null;
    if (origin === null) return [];
    const found = () => within(limit, this.parts.areas.named(storeId, place.names, asker));
    // An id that nobody has found says nothing of the names beside it
    const isKnown = place.area_id !== null && (await namesOfArea(this.parts.database, place.area_id)) !== undefined;
    const destination = isKnown ? place.area_id : (await found())?.id;
    if (destination === undefined || destination === null) return [];
    const groups = byWeight(
      setting.couriers.map(({ code }) => code),
      weightG,
    );
    const asked = { space: 'search', origin, destination } as const;
    const prices = [...groups].map(([weight, couriers]) =>
      within(limit, this.prices(storeId, { ...asked, weightG: weight, couriers }, asker)),
    );
    return (await answered(prices)).flat().flatMap((price) => this.offerOf(price, sending, setting));
  }

  private offerOf({ courier, service, cost, etd }: CourierPrice, { subtotal }: Sending, setting: Couriers): Offer[] {
    const chosen = setting.couriers.find(({ code }) => code === courier);
    if (!chosen || (chosen.services.length > 0 && !chosen.services.includes(service))) return [];
    const price = marked(cost, chosen.markup);
    const { mark } = this.parts.provider;
    const name = [courier.toUpperCase(), service, ...(mark === null ? [] : [`(${mark})`])].join(' ');
    return [
      {
        ...{ option: `courier:${courier}:${service}`, kind: 'courier', courier, service, name },
        ...{ cost: isFree(setting, subtotal, price) ? 0 : price, etd_days: etd, cod: false },
      },
    ];
  }
}
