export { oneLine } from './invoice.letter';
export { InvoiceSending, sendChannels, type SendChannel } from './sending.dto';
export { sendingRefusals } from './sending.sql';
