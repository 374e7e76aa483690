export { USUAL } from './goods.dto';
export { demandDigital, lockDigital } from './goods.sql';
