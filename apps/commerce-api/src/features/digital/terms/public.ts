export { demandDigital, lockDigital, USUAL } from './terms';
