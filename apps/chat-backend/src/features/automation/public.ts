export type { EventExpression } from './commerce-event.job';
