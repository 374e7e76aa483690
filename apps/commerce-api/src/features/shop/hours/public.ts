export { OpenHours } from './hours.dto';
export { hoursTyped, hoursTypedAt } from './hours.typed';
export { HoursFields } from './hours.view';
