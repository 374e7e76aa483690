export { notOnSale, wantedBySku } from './by-sku';
export { CART_LINES, cartLines, linesOnSale, type StockedLine } from './cart-lines';
