import type { Capability, EngineTraits } from '../../engines/engine.types';
import { refusals } from '../../refusals';

/** Throws the 501 of design 2.1, with the engine's reason, when one of the capabilities is missing. */
export const demandCapabilities = (engine: Pick<EngineTraits, 'capabilities'>, names: readonly Capability[]): void => {
  for (const name of names) {
    const able = engine.capabilities[name];
    if (able !== true) throw refusals.unsupported(name, able);
  }
};
