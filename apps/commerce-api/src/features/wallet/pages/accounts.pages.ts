import { Text } from '@platform/validation';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { NewBankAccount } from '../accounts/public';
import { AccountsView } from './accounts.view';
import { walletConflicts, walletLabels } from './wallet.conflicts';
import type { WalletPageParts } from './wallet.parts';
import { walletTexts } from './wallet.texts';

class AccountNamed {
  @Text({ format: 'uuid' }) id!: string;
}

/** Where the money of a shop can go. */
export const accountPages = ({ by, accountsIn }: WalletPageParts): readonly Pages[] => {
  const [path, ability] = ['/wallet/bank-accounts', 'wallet.withdraw'] as const;
  const all = page({
    ...{ get: path, ability: 'wallet.read', back: '/wallet', isSecret: true },
    title: ({ t }) => walletTexts(t).accounts,
    load: async ({ viewer: { caller } }) => ({ accounts: await accountsIn().list(caller.storeId) }),
    view: AccountsView,
    ...{ labels: walletLabels, conflicts: walletConflicts },
  });
  const posted = actions({
    ...{ post: path, ability, of: all },
    on: {
      add: action({
        body: NewBankAccount,
        run: ({ viewer, body, tx }) => accountsIn(tx).add(by(viewer), body),
        done: (_, { t }) => ({ to: path, flash: walletTexts(t).accountAdded }),
      }),
      primary: action({
        body: AccountNamed,
        run: ({ viewer, body, tx }) => accountsIn(tx).makePrimary(by(viewer), body.id),
        done: (_, { t }) => ({ to: path, flash: walletTexts(t).madePrimary }),
      }),
      remove: action({
        body: AccountNamed,
        run: ({ viewer, body, tx }) => accountsIn(tx).remove(by(viewer), body.id),
        done: (_, { t }) => ({ to: path, flash: walletTexts(t).removed }),
      }),
    },
  });
  return [all, posted];
};
