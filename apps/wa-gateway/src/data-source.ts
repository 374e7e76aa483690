import { Device } from './features/devices/device.entity';
import { CreateGateway1762000000000 } from './migrations/1762000000000-create-gateway';
import { CreateSimulator1762000000001 } from './migrations/1762000000001-create-simulator';

export const schema = 'wa_gateway';
export const entities = [Device];
export const migrations = [CreateGateway1762000000000, CreateSimulator1762000000001];
