import { InvalidInput } from '@platform/errors';
import type { LinkLine } from './links.dto';

interface Wanted {
  readonly variant_id: string;
  readonly qty: number;
}

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

/** The lines with their ids as PostgreSQL writes them. Throws `InvalidInput` for a variant that stands twice in the list called `field`. */
export const onceEach = <Line extends Wanted>(field: string, lines: readonly Line[]): Line[] => {
  const read = lines.map((line) => ({ ...line, variant_id: line.variant_id.toLowerCase() }));
  const ids = read.map(({ variant_id }) => variant_id);
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (twice >= 0) throw wrong(`${field}[${twice}].variant_id`, 'unique', 'stands twice');
  return read;
};

/** Throws `InvalidInput` for what a link does not sell, and for another quantity where it fixes one. */
export const refuseBeyond = (sold: readonly LinkLine[], items: readonly Wanted[]): void => {
  const strange = items.findIndex((item) => !sold.some((line) => line.variant_id === item.variant_id));
  if (strange >= 0) throw wrong(`items[${strange}].variant_id`, 'link', 'is not sold by this link');
  const changed = items.findIndex((item) =>
    sold.some((line) => line.variant_id === item.variant_id && !line.editable && line.qty !== item.qty),
  );
  if (changed >= 0) throw wrong(`items[${changed}].qty`, 'link', 'is fixed by this link');
  const kept = sold.every((line) => line.editable || items.some((item) => item.variant_id === line.variant_id));
  if (!kept) throw wrong('items', 'link', 'must have everything that this link sells together');
};
