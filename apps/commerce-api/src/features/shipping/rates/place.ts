import type { Address } from '../../../address.dto';

/** Where something goes, as far as it is told; texts are in lower case. */
export interface Place {
  /** Of the area search. */
  readonly area_id: string | null;
  /** District, city, province, postcode. */
  readonly names: readonly string[];
  /** Which of them is which, as far as somebody has typed them so. */
  readonly levels?: string;
}

const same = (text: string): string => text.trim().toLowerCase();

export const placeOf = (address: Partial<Address> | undefined): Place => {
  const { area_id, district, city, province, postcode } = address ?? {};
  const levels = [district, city, province, postcode].map((name) => (name === undefined ? null : same(name)));
  return {
    ...{ area_id: area_id === undefined ? null : same(area_id), names: levels.filter((name) => name !== null) },
    ...(levels.every((name) => name === null) ? {} : { levels: JSON.stringify(levels) }),
  };
};

/** A place as people write it: `Coblong, Bandung`. */
export const placeNamed = (destination: string): Place => ({
  area_id: null,
  names: destination.split(',').map(same).filter(Boolean),
});

/** Whether somebody who goes to these areas, ids or names, goes there; to none named means everywhere. */
export const isServed = ({ area_id, names }: Place, areas: readonly string[]): boolean =>
  areas.length === 0 || areas.some((area) => same(area) === area_id || names.includes(same(area)));

/**
 * Whether the address is at the place: everything that is told of the place is true of it. What was quoted for an address is good for no other
 * one, also when that has the same words elsewhere or some more: the provider has not been asked about those.
 */
export const isAt = ({ area_id, names, levels }: Place, address: Place): boolean =>
  (area_id === null || area_id === address.area_id) &&
  (levels === undefined || levels === address.levels) &&
  names.every((name) => address.names.includes(name));
