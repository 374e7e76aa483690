export { recordWaybill } from './packing';
