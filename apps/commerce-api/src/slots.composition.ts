import type { Config } from './config';
import type { GatewayNeeds } from './features/gateways/gateways.composition';

/** The providers of payments that the settings name. */
export const composeSlots = (_config: Config): GatewayNeeds => ({
  slots: { a: undefined, b: undefined, c: undefined },
  sign: undefined,
});
