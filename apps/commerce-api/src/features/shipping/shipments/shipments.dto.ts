import { sortsOf } from '@platform/data';
import { Choice, Flag, Int, List, Money, Text } from '@platform/validation';
import { MOMENT } from '../../../moment';
import { PageQuery } from '../../../paging';
import { conditions, directions, shipmentStates, type ShipmentState } from '../parcels/public';

const sorts = sortsOf(['created_at']);
const WAYBILL = {
  pattern: /^[\w./-]{5,40}$/,
  mismatch: { tag: 'waybill', text: 'must be 5 to 40 letters, digits, hyphens, dots or slashes' },
};

export class ShipmentsQuery extends PageQuery {
  @Choice(sorts, { optional: true, description: '`-created_at` unless given' }) sort?: (typeof sorts)[number];
  @Choice(shipmentStates, { optional: true }) status?: ShipmentState;
  @Choice(directions, { optional: true }) direction?: (typeof directions)[number];
  @Text({ optional: true, max: 20, trim: true }) courier?: string;
  @Text({ optional: true, format: 'uuid' }) order_id?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) from?: string;
  @Text({ optional: true, format: 'instant', description: MOMENT }) to?: string;
}

export class NewShipmentLine {
  @Text({ format: 'uuid' }) order_item_id!: string;
  @Int({ min: 1, max: 9999 }) qty!: number;
  @Choice(conditions, { optional: true, description: 'Of what came back; `good` unless given' })
  condition?: (typeof conditions)[number];
}

export class NewShipment {
  @Text({ format: 'uuid' }) order_id!: string;
  @Choice(directions, { optional: true, description: '`out` unless given' }) direction?: (typeof directions)[number];
  @List(() => NewShipmentLine, { min: 1, max: 200 }) lines!: NewShipmentLine[];
  @Text({ format: 'uuid', description: 'From where it goes, or where it came back to' }) warehouse_id!: string;
  @Text({ optional: true, max: 20, trim: true }) courier?: string;
  @Text({ optional: true, max: 60, trim: true }) service?: string;
  @Money({ optional: true, description: 'What the courier takes' }) cost?: number;
  @Text({ optional: true, trim: true, ...WAYBILL, description: 'With it the shipment is on its way' }) waybill?: string;
}

export class WaybillInput {
  @Text({ max: 20, trim: true }) courier!: string;
  @Text({ optional: true, max: 60, trim: true }) service?: string;
  @Text({ trim: true, ...WAYBILL }) waybill!: string;
  @Text({ optional: true, format: 'uuid', description: "The order's unless given" }) warehouse_id?: string;
  @Flag({ optional: true, description: 'Whether the buyer is told; true unless given' }) notify?: boolean;
}
