export { collectOnDelivery } from './collecting';
