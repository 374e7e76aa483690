export { inForce } from './settings.service';
