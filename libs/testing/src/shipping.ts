export { startRajaOngkirSandbox, type RajaOngkirSandbox } from '@platform/sandbox-rajaongkir';
