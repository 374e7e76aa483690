import type { Cache, Sql } from '@platform/data';
import type { Clock, Logger } from '@platform/runtime';
import { STAFF, type Asker } from '../askers';
import { areFoundBy, wordsOf } from '../area.words';
import type { FoundArea, ListedArea } from '../port';
import { kept } from '../quiet.cache';
import { isAway, type SharedProvider } from '../shared.provider';
import { keepAreas, keepList, keptList } from './areas.sql';

const DAY_MS = 86_400_000;
/** Provinces and districts change once in years. */
const LIST_MS = 30 * DAY_MS;
const SEARCH_SECONDS = DAY_MS / 1000;
/** Asked for at once, so that searches that want fewer find them too. */
const MOST_FOUND = 20;

export interface AreasParts {
  readonly database: Sql;
  readonly cache: Pick<Cache, 'get' | 'set'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly provider: SharedProvider;
}

/** Places as the provider names them. What it told once is told again without it. */
export class Areas {
  constructor(private readonly parts: AreasParts) {}

  provinces(storeId: string): Promise<readonly ListedArea[]> {
    return this.list('province', () => this.parts.provider.of(storeId).provinces());
  }

  cities(storeId: string, provinceId: string): Promise<readonly ListedArea[]> {
    return this.list(`city:${provinceId}`, () => this.parts.provider.of(storeId).cities(provinceId));
  }

  districts(storeId: string, cityId: string): Promise<readonly ListedArea[]> {
    return this.list(`district:${cityId}`, () => this.parts.provider.of(storeId).districts(cityId));
  }

  /** What it finds is kept, so that its ids are known from then on. */
  async search(storeId: string, text: string, limit = 10, asker: Asker = STAFF): Promise<readonly FoundArea[]> {
    const { database, provider, clock, cache, logger } = this.parts;
    const key = `areas ${provider.name} ${wordsOf(text).join(' ')}`;
    const found = await kept({ cache, logger }, key, SEARCH_SECONDS, async () => {
      const areas = await provider.of(storeId, asker).search(text, MOST_FOUND);
      await keepAreas(database, provider.name, areas, clock.now());
      return areas;
    });
    return found.slice(0, limit);
  }

  /** The one place that these names can mean; undefined when there are several, or none. */
  async named(storeId: string, names: readonly string[], asker?: Asker): Promise<FoundArea | undefined> {
    if (names.join('').length < 3) return undefined;
    const text = names.join(', ');
    // Providers find also what fits in part
    const found = (await this.search(storeId, text, MOST_FOUND, asker)).filter(({ label }) =>
      areFoundBy(wordsOf(text), label),
    );
    const districts = new Set(found.map(({ district, city }) => `${district}, ${city}`));
    return districts.size === 1 ? found[0] : undefined;
  }

  private async list(list: string, ask: () => Promise<readonly ListedArea[]>): Promise<readonly ListedArea[]> {
    const { database, clock, provider } = this.parts;
    const before = await keptList(database, provider.name, list);
    const isFresh = before && clock.now().getTime() - before.told_at.getTime() < LIST_MS;
    if (isFresh) return before.areas;
    try {
      const areas = await ask();
      // What has no areas is no parent: an id that somebody made up is not kept
      if (areas.length > 0) await keepList(database, { provider: provider.name, list }, areas, clock.now());
      return areas;
    } catch (failure) {
      if (before && isAway(failure)) return before.areas;
      throw failure;
    }
  }
}
