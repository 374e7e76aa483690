export type { CourierRates } from './courier.rates';
export { couriersOf } from './couriers.sql';
