export { collectOnDelivery, leaveToBearer } from './collecting';
