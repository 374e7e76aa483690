export { StockRepository } from './stock.repository';
