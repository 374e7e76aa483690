import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Address } from '../../../address.dto';
import type { StockedLine } from '../../sales/carts/public';
import { ownOffers, placeOf, sentOf, type Offer } from '../../shipping/rates/public';
import { activeMethods } from '../../shipping/methods/public';
import type { BotCheckout } from './door.dto';

const POSTCODE = /^\d{5}$/;
/** An id of an area has no spaces, and a digit. */
const AREA_ID = /^(?=\S*\d)\S{1,64}$/;
const MOST_CANDIDATES = 5;

/** `Coblong, Bandung, Jawa Barat, 40132`: names of a place from the smallest on. One that looks like an id is one. */
const placeIn = (destination: string): Partial<Address> => {
  const names = destination
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const [only = ''] = names;
  if (names.length === 1 && AREA_ID.test(only)) return { area_id: only };
  const postcode = POSTCODE.test(names.at(-1) ?? '') ? names.pop() : undefined;
  if (names.length < 2) return { city: names[0], postcode };
  const [district, city, province] = names;
  return { district, city, province, postcode };
};

/** Where the buyer wants it, as an order has it. */
export const addressOf = ({ idUser: phone, customer }: BotCheckout): Address => {
  const place = Object.fromEntries(
    Object.entries(placeIn(customer.destination)).filter(([, value]) => value !== undefined),
  );
  return { name: customer.name, phone, line: customer.address, ...place };
};

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
const isCalled = (courier: string, { option, kind, courier: code, service, name }: Offer): boolean =>
  [option, kind, code, service, name].some((each) => each !== null && same(each, courier));

/** Throws `InvalidInput` with the places that the store sends to. */
const refusePlace = async (sql: Sql, storeId: string): Promise<never> => {
  const field = 'customer.destination';
  const methods = (await activeMethods(sql, storeId)).filter(({ kind }) => kind !== 'cod');
  const areas = [...new Set(methods.flatMap((method) => method.areas))].slice(0, MOST_CANDIDATES);
  throw new InvalidInput([{ field, tag: 'served', message: `${field} is no place that this store sends to` }], {
    details: { data: areas.map((area) => ({ id: area, label: area })) },
  });
};

/**
 * How the goods are sent: as it was asked for, else by the cheapest that brings them; undefined where nothing is sent. What is paid on
 * delivery is none of it: the bot's buyers pay before. Throws `InvalidInput`.
 */
export const chosenOffer = async (
  sql: Sql,
  storeId: string,
  lines: readonly StockedLine[],
  { address, courier }: { readonly address: Address; readonly courier: string | undefined },
): Promise<Offer | undefined> => {
  if (sentOf(lines).length === 0) return undefined;
  const offers = (await ownOffers(sql, storeId, { lines, place: placeOf(address) })).filter(
    ({ kind }) => kind !== 'cod',
  );
  const brought = offers.filter(({ kind }) => kind !== 'pickup').sort((one, other) => one.cost - other.cost);
  if (courier === undefined) return brought[0] ?? refusePlace(sql, storeId);
  const asked = offers.find((offer) => isCalled(courier, offer));
  if (asked) return asked;
  if (brought.length === 0) return refusePlace(sql, storeId);
  const names = brought.map(({ name }) => name).join(', ');
  throw new InvalidInput([{ field: 'courier', tag: 'offered', message: `courier must be one of ${names}` }]);
};
