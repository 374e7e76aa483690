export { CART_LINES, cartLines, type StockedLine } from './cart-lines';
