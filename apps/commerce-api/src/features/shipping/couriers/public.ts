export type { CourierRates } from './courier.rates';
export { courierRefusals, couriersOf, saveCouriers } from './couriers.sql';
export { Couriers, CouriersBody } from './couriers.dto';
