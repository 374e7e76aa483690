export { waEndpoints } from './wa.endpoints';
export { WaGroups } from './wa.groups';
export { WaService } from './wa.service';
