import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Address } from '../../../address.dto';
import type { StockedLine } from '../../sales/carts/public';
import { withNames, type Areas } from '../../shipping/areas/public';
import { couriersOf } from '../../shipping/couriers/public';
import { activeMethods } from '../../shipping/methods/public';
import { placeOf, sentOf, type Offer, type Rates } from '../../shipping/rates/public';
import type { BotCheckout } from './door.dto';

const POSTCODE = /^\d{5}$/;
/** An id of an area has no spaces, and a digit. */
const AREA_ID = /^(?=\S*\d)\S{1,64}$/;
const MOST_CANDIDATES = 5;

/**
 * `Coblong, Bandung, Jawa Barat, 40132`: names of a place from the smallest on, of which a label of the area search may have one more. One
 * that looks like an id is one.
 */
const placeIn = (destination: string): Partial<Address> => {
  const names = destination
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const [only = ''] = names;
  if (names.length === 1 && AREA_ID.test(only)) return { area_id: only };
  const postcode = POSTCODE.test(names.at(-1) ?? '') ? names.pop() : undefined;
  if (names.length < 2) return { city: names[0], postcode };
  const [district, city, province] = names.length > 3 ? names.slice(-3) : names;
  return { district, city, province, postcode };
};

/** Where the buyer wants it, as an order has it: an id with the names that it stands for. */
export const addressOf = (sql: Sql, { idUser: phone, customer }: BotCheckout): Promise<Address> => {
  const place = Object.fromEntries(
    Object.entries(placeIn(customer.destination)).filter(([, value]) => value !== undefined),
  );
  return withNames(sql, { name: customer.name, phone, line: customer.address, ...place });
};

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
const isCalled = (courier: string, { option, kind, courier: code, service, name }: Offer): boolean =>
  [option, kind, code, service, name, [code, service].join(' ')].some((each) => each !== null && same(each, courier));

export interface Ways {
  readonly database: Sql;
  readonly rates: Pick<Rates, 'offersFor'>;
  readonly areas: Pick<Areas, 'search'>;
}

interface Asked extends Pick<BotCheckout, 'courier'> {
  readonly lines: readonly StockedLine[];
  readonly address: Address;
  readonly destination: string;
}

/** What a buyer may have meant, where couriers would bring it: none where the search cannot tell. */
const candidates = async ({ database, areas }: Ways, storeId: string, { destination }: Asked) => {
  const { couriers } = await couriersOf(database, storeId);
  if (!couriers.some(({ active }) => active)) return [];
  const found = await areas.search(storeId, destination, MOST_CANDIDATES).catch(() => []);
  return found.map(({ id, label }) => ({ id, label }));
};

/** Throws `InvalidInput` with the places that it may be, else with those that the store says it sends to. */
const refusePlace = async (ways: Ways, storeId: string, asked: Asked): Promise<never> => {
  const field = 'customer.destination';
  const methods = (await activeMethods(ways.database, storeId)).filter(({ kind }) => kind !== 'cod');
  const own = [...new Set(methods.flatMap((method) => method.areas))].map((area) => ({ id: area, label: area }));
  const found = await candidates(ways, storeId, asked);
  throw new InvalidInput([{ field, tag: 'served', message: `${field} is no place that this store sends to` }], {
    details: { data: (found.length > 0 ? found : own).slice(0, MOST_CANDIDATES) },
  });
};

/** How the goods are sent, and among what it was chosen. */
export interface Sent {
  readonly offer: Offer;
  readonly offers: readonly Offer[];
}

/**
 * How the goods are sent: as it was asked for, else by the cheapest that brings them; undefined where nothing is sent. What is paid on
 * delivery is none of it: the bot's buyers pay before. Couriers are asked, so never in a transaction. Throws `InvalidInput`.
 */
export const chosenOffer = async (ways: Ways, storeId: string, asked: Asked): Promise<Sent | undefined> => {
  const { lines, address, courier } = asked;
  if (sentOf(lines).length === 0) return undefined;
  const all = await ways.rates.offersFor(storeId, { lines, place: placeOf(address) });
  const offers = all.filter(({ kind }) => kind !== 'cod');
  const brought = offers.filter(({ kind }) => kind !== 'pickup');
  const offer = courier === undefined ? brought[0] : offers.find((each) => isCalled(courier, each));
  if (offer) return { offer, offers };
  if (brought.length === 0) return refusePlace(ways, storeId, asked);
  const names = brought.map(({ name }) => name).join(', ');
  throw new InvalidInput([{ field: 'courier', tag: 'offered', message: `courier must be one of ${names}` }]);
};
