export { seedWithdrawal } from './withdrawal.seed';
