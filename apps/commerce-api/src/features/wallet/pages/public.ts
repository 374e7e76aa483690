export { walletPages } from './wallet.pages';
