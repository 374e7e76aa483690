import type { Reader } from '../../../web/i18n/reader';
import { walletTexts } from './wallet.texts';

type Say = ReturnType<typeof walletTexts>;
const told = (of: (say: Say) => string, field?: string) => ({ field, text: (t: Reader) => of(walletTexts(t)) });

/** What stands against something that is done with the wallet, in words. */
export const walletConflicts = {
  insufficient_balance: told((say) => say.obstacles.insufficient_balance, 'amount'),
  pin_not_set: told((say) => say.obstacles.pin_not_set),
  pin_set: told((say) => say.pinIsSet),
  withdraw_hold: told((say) => say.obstacles.withdraw_hold),
  account_too_new: told((say) => say.obstacles.account_too_new, 'bank_account_id'),
  invalid_transition: told((say) => say.notCancellable),
  provider_unavailable: told((say) => say.noProvider),
  too_many_accounts: told((say) => say.tooMany),
  in_use: told((say) => say.inUse),
};

/** Inputs of the pages of the wallet. */
export const walletLabels = (t: Reader) => {
  const say = walletTexts(t);
  return {
    ...{ amount: say.amount, bank_account_id: say.account, bank_code: say.bank, number: say.number },
    ...{ holder: say.holder, current_pin: say.currentPin, pin: say.newPin, password: say.password, code: say.code },
  };
};
