export { browserPurchased, type BrowserPurchase } from './purchases';
