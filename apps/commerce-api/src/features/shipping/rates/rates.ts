import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import { keepQuote } from './quotes.sql';
import type { RateOption } from './rates.dto';
import { goodsHash, sendingOf, sentOf, type RateSource, type ToSend } from './sending';

/** Asks everybody who could send a cart. */
export class Rates {
  constructor(
    private readonly sql: Sql,
    private readonly sources: readonly RateSource[],
  ) {}

  /**
   * All ways to send the goods of a cart, the cheapest first, under one quote whose prices are good for ten minutes; none where nothing is
   * sent. Outside a transaction, because a source may call somebody.
   */
  async optionsFor(by: Pick<By, 'storeId' | 'at'>, toSend: ToSend): Promise<RateOption[]> {
    if (sentOf(toSend.lines).length === 0) return [];
    const sending = await sendingOf(this.sql, by.storeId, toSend);
    const offers = await Promise.all(this.sources.map((source) => source(sending)));
    const options = offers.flat().toSorted((one, other) => one.cost - other.cost || one.name.localeCompare(other.name));
    if (options.length === 0) return [];
    const quote_id = await keepQuote(this.sql, by, { goods: goodsHash(toSend), place: toSend.place, options });
    return options.map((option) => ({ quote_id, ...option }));
  }
}
