import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { machine } from '../../../machine';
import { leftOf, type ItemProgress, type ShipmentState } from '../parcels/public';
import type { NewShipmentLine } from './shipments.dto';

export const shipmentMachine = machine<ShipmentState, 'ship' | 'cancel'>({
  pending: { ship: 'in_transit', cancel: 'cancelled' },
  packed: { ship: 'in_transit', cancel: 'cancelled' },
  in_transit: {},
  delivered: {},
  returned: {},
  cancelled: {},
});

export const shipmentRefusals = {
  nothingLeft: (lines: readonly { readonly order_item_id: string; readonly left: number }[] = []): Failure =>
    new Conflict('So much of the order is not left', { code: 'nothing_left', details: { lines } }),
  waybillUsed: (): Failure => new Conflict('Another shipment has this waybill', { code: 'waybill_used' }),
} as const;

const invalid = (field: string, tag: string, text: string) =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

/** A line of the order with how much of it is to move. */
export interface Moving {
  readonly item: ItemProgress;
  readonly qty: number;
}

const found = (items: readonly ItemProgress[], { order_item_id }: NewShipmentLine): ItemProgress => {
  const item = items.find(({ id }) => id === order_item_id.toLowerCase());
  if (item) return item;
  throw new NotFound('Order line not found');
};

/**
 * What is to be sent of an order, one line an item. Throws `NotFound` for a line of another order, `InvalidInput` for one that is not sent or
 * named twice, and `nothing_left` with what is left of those that ask for more.
 */
export const packable = (items: readonly ItemProgress[], lines: readonly NewShipmentLine[]): Moving[] => {
  const moving = lines.map((line) => ({ item: found(items, line), qty: line.qty }));
  moving.forEach(({ item }, at) => {
    if (lines[at]?.condition) throw invalid(`lines[${at}].condition`, 'excluded', 'is told of what came back only');
    if (!item.is_sent) throw invalid(`lines[${at}].order_item_id`, 'sent', 'is nothing that is sent');
    if (moving.findIndex((other) => other.item === item) < at)
      throw invalid(`lines[${at}].order_item_id`, 'unique', 'is given twice');
  });
  refuseMore(moving, leftOf);
  return moving;
};

/** What came back of an order; an item may be named once for each condition. Throws as `packable` does. */
export const returnable = (items: readonly ItemProgress[], lines: readonly NewShipmentLine[]): Moving[] => {
  const moving = lines.map((line) => ({ item: found(items, line), qty: line.qty }));
  const whole = items.map((item) => ({
    item,
    qty: moving.filter((other) => other.item === item).reduce((sum, { qty }) => sum + qty, 0),
  }));
  refuseMore(whole, ({ shipped, returned }) => shipped - returned);
  return moving;
};

const refuseMore = (moving: readonly Moving[], leftIn: (item: ItemProgress) => number): void => {
  const short = moving.filter(({ item, qty }) => qty > leftIn(item));
  if (short.length === 0) return;
  throw shipmentRefusals.nothingLeft(short.map(({ item }) => ({ order_item_id: item.id, left: leftIn(item) })));
};
