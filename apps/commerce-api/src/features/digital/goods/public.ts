export { demandDigital, lockDigital, USUAL } from './goods.sql';
