export {
  fulfillmentOf,
  fulfillmentStates,
  goneOf,
  leftOf,
  progressOf,
  PROGRESS,
  type FulfillmentState,
  type ItemProgress,
} from './fulfillment';
export { countSent } from './count-sent';
export { cancelPacked, deliverAll, goodsAreOut, stockOfShipment, unsellUnsent } from './order-end';
export {
  conditions,
  directions,
  Shipment,
  ShipmentEvent,
  shipmentStates,
  ShipmentRow,
  type ShipmentState,
} from './parcels.dto';
export { moveShipment, readShipment, shipmentById, SHIPMENT_ROW, shipmentsIn, shipmentsOf } from './parcels.sql';
