import { describeParity } from './parity.contract';
import { SimulatorDriver } from './simulator-network.fixture';

describeParity(new SimulatorDriver());
