export { changeWelcome, forgetAgent, welcomeCopies } from './welcomes.sql';
export { welcomesEndpoints } from './welcomes.endpoints';
