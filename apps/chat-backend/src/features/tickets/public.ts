// What other features of this app may use.
export { ticketStatuses } from './ticket.dto';
