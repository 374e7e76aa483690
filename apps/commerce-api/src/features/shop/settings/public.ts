export { inForce } from './settings.service';
export { stockDefaults } from './settings.dto';
