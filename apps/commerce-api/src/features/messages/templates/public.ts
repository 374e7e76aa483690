export { messageSay, messageText, newsText, ownText } from './message.text';
export { moneyText, toldOrder, type ToldOrder } from './order.values';
export type { ValuesOf } from './message.events';
export { nameOnly } from './render';
export { messageTemplateCopies, seedTemplates } from './templates.sql';
