export { seedingWallet, type SeedWallet } from './wallet.seed';
