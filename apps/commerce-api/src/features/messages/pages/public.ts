export { templatesPages } from './templates.pages';
