import { Choice, Int, List, Money, Text } from '@platform/validation';

export const directions = ['out', 'return'] as const;
export const shipmentStates = ['pending', 'packed', 'in_transit', 'delivered', 'returned', 'cancelled'] as const;
export type ShipmentState = (typeof shipmentStates)[number];
export const conditions = ['good', 'damaged'] as const;

export class ShipmentLine {
  @Text({ format: 'uuid' }) order_item_id!: string;
  @Int() qty!: number;
  @Choice(conditions, { nullable: true, description: 'Of what came back' }) condition!:
    (typeof conditions)[number] | null;
}

export class ShipmentEvent {
  @Text({ format: 'instant' }) at!: string;
  @Text() code!: string;
  @Text() text!: string;
  @Text({ nullable: true }) place!: string | null;
}

export class ShipmentRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'uuid' }) order_id!: string;
  @Choice(directions) direction!: (typeof directions)[number];
  @Text({ format: 'uuid' }) warehouse_id!: string;
  @Text({ nullable: true }) courier!: string | null;
  @Text({ nullable: true }) service!: string | null;
  @Money({ nullable: true, description: 'What the courier takes' }) cost!: number | null;
  @Text({ nullable: true }) waybill!: string | null;
  @Choice(shipmentStates) status!: ShipmentState;
  @Text({ nullable: true, description: 'Where its label is printed, while there is one' }) label_url!: string | null;
}

/** What was sent to a buyer, or came back. */
export class Shipment extends ShipmentRow {
  @List(() => ShipmentLine) lines!: ShipmentLine[];
  @List(() => ShipmentEvent) events!: ShipmentEvent[];
}
