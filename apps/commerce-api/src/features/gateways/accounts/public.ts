export { GatewayAccounts, type Credentials, type Signer, type Slot, type Slots, type Till } from './accounts';
