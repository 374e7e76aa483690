export { stockDefaults } from './settings.dto';
