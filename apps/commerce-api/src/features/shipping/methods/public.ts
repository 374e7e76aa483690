export { methodKinds, ShippingMethod } from './methods.dto';
export { activeMethods } from './methods.sql';
export { ShippingMethodBody, ShippingMethodsQuery } from './methods.dto';
export { changeMethod, createMethod, deleteMethod, editableOf, methodListing } from './methods.sql';
