import type { Reader } from '../../../web/i18n/reader';
import { billingTexts } from './billing.texts';

type Say = ReturnType<typeof billingTexts>;
const told = (of: (say: Say) => string, field?: string) => ({ field, text: (t: Reader) => of(billingTexts(t)) });

/** What stands against something that is done with the plan, in words. */
export const billingConflicts = {
  already_subscribed: told((say) => say.alreadySubscribed),
  not_subscribed: told((say) => say.notSubscribed),
  same_plan: told((say) => say.samePlan),
  subscription_ending: told((say) => say.ending),
  past_due: told((say) => say.pastDue),
  invoice_expired: told((say) => say.late),
  invalid_transition: told((say) => say.settled),
  insufficient_balance: told((say) => say.noBalance),
  provider_unavailable: told((say) => say.noProvider),
  not_for_plan: told((say) => say.otherPlan),
};
