import { baileysTraits } from './baileys/baileys.engine';
import { cloudTraits } from './cloud/cloud.engine';
import type { EngineKind, EngineTraits } from './engine.types';
import { simulatorTraits } from './simulator/simulator.engine';

/** What the engines can do, also of devices that run in another process. */
export const traitsOf: Readonly<Record<EngineKind, EngineTraits>> = {
  baileys: baileysTraits,
  cloud: cloudTraits,
  simulator: simulatorTraits,
};
