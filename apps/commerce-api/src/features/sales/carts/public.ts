export { notOnSale, wantedBySku } from './by-sku';
export { CART_LINES, cartLines, type StockedLine } from './cart-lines';
