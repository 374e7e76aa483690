export { messageSay, messageText, newsText, ownText } from './message.text';
export { moneyText, toldOrder, type ToldOrder } from './order.values';
export { defaultBodies, messageEvents, variablesOf, type MessageEvent, type ValuesOf } from './message.events';
export { nameOnly } from './render';
export { NewTemplate, TemplateChange, TemplatesQuery, type MessageTemplate } from './templates.dto';
export {
  addTemplate,
  changeTemplate,
  deleteTemplate,
  messageTemplateCopies,
  seedTemplates,
  shown,
  templateListing,
} from './templates.sql';
