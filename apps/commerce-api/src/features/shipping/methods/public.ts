export { methodKinds, type ShippingMethod } from './methods.dto';
export { activeMethods } from './methods.sql';
