// What other features of this app may use.
export { forgetRecipients } from './forgotten.sql';
