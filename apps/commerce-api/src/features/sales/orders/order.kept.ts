import type { Order, OrderEdit } from './orders.dto';

const PLACE = ['district', 'city', 'province', 'postcode'] as const;

/** The address with what the form has no input for; its area is that of the same place only. */
const addressKept = (before: Order['address'], address: OrderEdit['address']): OrderEdit['address'] => {
  if (!before || !address) return address;
  const { name, phone, note, area_id } = before;
  const isSamePlace = PLACE.every((part) => (before[part] ?? '') === (address[part] ?? ''));
  const kept = { name, phone, note, ...(isSamePlace && { area_id }) };
  return { ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value)), ...address };
};

/** An edit by the form, which names the order whole: what it has no input for stays as it is. */
export const withKept = ({ items, address, assignee_id }: Order, edit: OrderEdit): OrderEdit => {
  const notes = new Map(items.map(({ variant_id, note }) => [variant_id, note ?? undefined]));
  return {
    ...edit,
    ...(assignee_id !== null && { assignee_id }),
    address: addressKept(address, edit.address),
    items: edit.items.map((item) => ({ ...item, note: notes.get(item.variant_id.toLowerCase()) })),
  };
};
