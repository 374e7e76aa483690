import type { Endpoint } from '@platform/http';
import type { Config } from './config';
import type { composeDevices } from './devices.composition';
import { simulatorEndpoints } from './features/simulator/simulator.endpoints';
import { SimulatorService } from './features/simulator/simulator.service';

/** The simulator's customers; in production those of a demo installation are out of reach over HTTP (design 6). */
export const composeSimulator = (
  { APP_ENV, DEFAULT_COUNTRY_CODE }: Config,
  { network, networkFiles, serve, devices }: ReturnType<typeof composeDevices>,
): Endpoint[] => {
  if (!network || APP_ENV === 'production') return [];
  return simulatorEndpoints(new SimulatorService(network, DEFAULT_COUNTRY_CODE, networkFiles, serve), devices);
};
