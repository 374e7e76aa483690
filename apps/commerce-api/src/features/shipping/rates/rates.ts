import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { keepQuote } from './quotes.sql';
import type { RateOption } from './rates.dto';
import type { Place } from './place';
import { namesOfArea } from '../areas/public';
import { goodsHash, sendingOf, sentOf, type Offer, type RateSource, type ToSend } from './sending';

/** With the names that its id stands for alone, by which stores say where they send to. */
export const knownPlace = async (sql: Sql, place: Place): Promise<Place> => {
  const area = place.area_id === null ? undefined : await namesOfArea(sql, place.area_id);
  if (!area) return place;
  const { district, city, province, postcode } = area;
  const names = [district, city, province, postcode].flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  return { area_id: place.area_id, names };
};

/** Keeps what was offered to send these goods; resolves to its id. */
export const quoteFor = async (
  sql: Sql,
  by: Pick<By, 'storeId' | 'at'>,
  toSend: ToSend,
  options: readonly Offer[],
): Promise<string> =>
  keepQuote(sql, by, { goods: goodsHash(toSend), place: await knownPlace(sql, toSend.place), options });

/** Asks everybody who could send a cart. */
export class Rates {
  constructor(
    private readonly sql: Sql,
    private readonly sources: readonly RateSource[],
  ) {}

  /** All ways to send the goods of a cart, the cheapest first; none where nothing is sent. Outside a transaction, because a source may call somebody. */
  async offersFor(storeId: string, toSend: ToSend): Promise<readonly Offer[]> {
    if (sentOf(toSend.lines).length === 0) return [];
    const place = await knownPlace(this.sql, toSend.place);
    const sending = await sendingOf(this.sql, storeId, { ...toSend, place });
    const offers = await Promise.all(this.sources.map((source) => source(sending)));
    return offers.flat().toSorted((one, other) => one.cost - other.cost || one.name.localeCompare(other.name));
  }

  /** The same under one quote whose prices are good for ten minutes. */
  async optionsFor(by: Pick<By, 'storeId' | 'at'>, toSend: ToSend): Promise<RateOption[]> {
    const options = await this.offersFor(by.storeId, toSend);
    if (options.length === 0) return [];
    const quote_id = await quoteFor(this.sql, by, toSend, options);
    return options.map((option) => ({ quote_id, ...option }));
  }
}
