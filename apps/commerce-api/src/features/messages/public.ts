export {
  messageTemplateCopies,
  messageText,
  moneyText,
  nameOnly,
  newsText,
  seedTemplates,
  type ValuesOf,
} from './templates/public';
