import { CloudDriver } from './cloud-network.fixture';
import { describeParity } from './parity.contract';

describeParity(new CloudDriver());
