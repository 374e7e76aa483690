import { readForm } from '../../../web/form.state';
import { Money, Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { Pages } from '../../../web/kit';
import { action, actions, form, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import type { Reader } from '../../../web/i18n/reader';
import { LIST } from '../../../web/ui/address';
import { walletOf } from '../balance/public';
import { NewWithdrawal, WithdrawalsQuery, WithdrawalWish } from '../withdrawals/public';
import { withdrawalListing } from '../withdrawals/public';
import { walletConflicts, walletLabels } from './wallet.conflicts';
import type { WalletPageParts } from './wallet.parts';
import { walletTexts } from './wallet.texts';
import { WithdrawalList, WithdrawalsView, type Asked } from './withdrawals.view';

class WithdrawalsPageQuery extends WithdrawalsQuery {
  @Money({ optional: true }) amount?: number;
  @Text({ optional: true, format: 'uuid' }) bank_account_id?: string;
}

/** What is to be withdrawn: as the address says, or the form that came back. */
const wishOf = (query: WithdrawalsPageQuery, typed: Typed | undefined): WithdrawalWish | undefined => {
  const { amount, bank_account_id } = typed ?? query;
  if (amount === undefined || bank_account_id === undefined) return undefined;
  try {
    return readForm(WithdrawalWish, { amount: String(amount), bank_account_id });
  } catch {
    return undefined;
  }
};

const askedOf = async (
  { withdrawals, by }: WalletPageParts,
  caller: Caller,
  wish: WithdrawalWish | undefined,
): Promise<Asked | undefined> =>
  wish === undefined || !caller.abilities.has('wallet.withdraw')
    ? undefined
    : { ...wish, told: await withdrawals.inquire(by({ caller }), wish) };

const labels = (t: Reader) => ({ ...walletLabels(t), pin: walletTexts(t).pinLabel });

const listPage = (parts: WalletPageParts) =>
  page({
    ...{ get: '/wallet/withdraw', ability: 'wallet.read', back: '/wallet', isSecret: true },
    query: WithdrawalsPageQuery,
    title: ({ t }) => walletTexts(t).withdraw,
    load: async ({ viewer: { caller }, query, typed }) => {
      const { amount: _amount, bank_account_id: _account, ...listed } = query;
      const [list, accounts, { available }, asked] = await Promise.all([
        withdrawalListing.page(parts.database, caller.storeId, listed),
        parts.accountsIn().list(caller.storeId),
        walletOf(parts.database, caller.storeId, parts.clock.now()),
        askedOf(parts, caller, wishOf(query, typed)),
      ]);
      return { ...list, accounts, available, asked };
    },
    view: WithdrawalsView,
    fragments: { [LIST]: WithdrawalList },
    ...{ labels, conflicts: walletConflicts },
  });

/** Money that leaves the wallet. */
export const withdrawalPages = (parts: WalletPageParts): readonly Pages[] => {
  const { withdrawals, by } = parts;
  const all = listPage(parts);
  const [to, ability] = ['/wallet/withdraw', 'wallet.withdraw'] as const;
  return [
    all,
    actions({
      ...{ post: to, ability, of: all, secretFields: ['pin'] },
      on: {
        // What it costs is seen before the PIN is asked for
        check: action({
          body: WithdrawalWish,
          before: ({ viewer, body }) => withdrawals.inquire(by(viewer), body),
          run: async ({ body }) => body,
          done: ({ amount, bank_account_id: account }) => ({ to: `${to}?amount=${amount}&bank_account_id=${account}` }),
        }),
        withdraw: action({
          body: NewWithdrawal,
          // A wrong PIN counts, whatever becomes of the form
          before: ({ viewer, body, key }) => withdrawals.prove(by(viewer), key, body.pin),
          run: ({ viewer, body, tx, key, ready }) => withdrawals.request(tx, by(viewer), key, body, ready),
          done: (_, { t }) => ({ to, flash: walletTexts(t).requested }),
        }),
      },
    }),
    form({
      ...{ post: '/wallet/withdraw/{id}/cancel', ability, of: all },
      run: ({ viewer, params, tx }) => withdrawals.cancelIn(tx, by(viewer), params.id ?? ''),
      done: (_, { t }) => ({ to, flash: walletTexts(t).cancelled }),
    }),
  ];
};
