// What other features of this app may use.
export { priorities } from './escalation.dto';
