export { agentsPages } from './agents.pages';
