export { automationPages } from './automation.pages';
