export { startRajaOngkirSandbox, type RajaOngkirOptions, type RajaOngkirSandbox } from './server';
export type { ManifestLine, Waybill } from './waybills';
