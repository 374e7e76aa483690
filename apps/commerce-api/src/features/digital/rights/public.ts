export { freeKeys } from './free.keys';
export { holdKeys, keepRights, releaseRights, revokeDeliveries, suspendDeliveries, type ReturnedLine } from './rights';
