export { aiRepliesOf, type AiReplies } from './ai-replies';
export { billingPages } from './billing.pages';
export { addonsEndpoints } from './addons.endpoints';
export { lockBilling } from './effects';
export { giveLargestPlan } from './plan.seed';
export { PlanReminders } from './reminders';
export { Renewals } from './renewals';
export { subscriptionsEndpoints } from './subscriptions.endpoints';
export { planNameOf } from './subscriptions.sql';
