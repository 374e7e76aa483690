export { copyDigital } from './copies';
export { freeKeys } from './free.keys';
export { DELIVERIES_OF_ORDER, OrderDelivery } from './order.deliveries';
export {
  holdKeys,
  holdMissedKeys,
  keepRights,
  regainDeliveries,
  releaseRights,
  revokeDeliveries,
  suspendDeliveries,
  type ReturnedLine,
} from './rights';
export { comingBack, sellsDigital } from './rights.sql';
