import { Text } from '@platform/validation';
import type { Pages } from '../../../web/kit';
import { filePage } from '../../../web/file.page';
import { form, page } from '../../../web/page';
import { LinesQuery } from '../balance/public';
import { lineListing } from '../balance/public';
import { STATEMENT, statementOf } from '../balance/public';
import { walletOf } from '../balance/public';
import { NewTopup } from '../topups/public';
import { topupById } from '../topups/public';
import { accountPages } from './accounts.pages';
import { pinPages } from './pin.pages';
import { monthOf } from './statement.month';
import { walletConflicts, walletLabels } from './wallet.conflicts';
import type { WalletPageParts } from './wallet.parts';
import { walletTexts } from './wallet.texts';
import { WalletView } from './wallet.view';
import { withdrawalPages } from './withdrawals.pages';

class WalletQuery extends LinesQuery {
  @Text({ optional: true, format: 'uuid', description: 'The top-up that is looked at' }) topup?: string;
}

class StatementPageQuery {
  @Text({
    ...{ optional: true, pattern: /^20[0-9]{2}-(0[1-9]|1[0-2])$/, description: 'This one unless given' },
    mismatch: { tag: 'month', text: 'must be a month such as 2026-03' },
  })
  month?: string;
}

/** Lines of the wallet that a page shows. */
const LATEST = 25;

const walletPage = ({ database, clock, cursors }: WalletPageParts) =>
  page({
    ...{ get: '/wallet', ability: 'wallet.read', query: WalletQuery, isSecret: true },
    title: ({ t }) => t.nav.places.wallet,
    load: async ({ viewer: { caller, session }, query: { topup, ...query } }) => {
      const { storeId } = caller;
      const [wallet, lines] = await Promise.all([
        walletOf(database, storeId, clock.now()),
        lineListing.feed(database, storeId, { ...query, limit: LATEST }, cursors),
      ]);
      const opened = topup === undefined ? undefined : await topupById(database, storeId, topup);
      return { wallet, lines, topup: opened, month: monthOf(clock.now(), session.timezone) };
    },
    view: WalletView,
    ...{ labels: walletLabels, conflicts: walletConflicts },
  });

/** The money of a shop: what it has, what it pays in and what leaves. */
export const walletPages = (parts: WalletPageParts): Pages => {
  const { database, clock, topups, by } = parts;
  const all = walletPage(parts);
  const statement = filePage({
    ...{ get: '/wallet/statement', ability: 'wallet.read', query: StatementPageQuery, reply: STATEMENT },
    load: ({ viewer: { caller, session }, query, signal }) => {
      const month = query.month ?? monthOf(clock.now(), session.timezone);
      return statementOf(database, { storeId: caller.storeId, month, now: clock.now() }, signal);
    },
  });
  const opened = form({
    ...{ post: '/wallet/topup', ability: 'wallet.topup', of: all, body: NewTopup },
    run: async ({ viewer, body, tx, key }) => {
      const who = by(viewer);
      const topup = await topups.open(tx, who, body, key);
      tx.afterCommit(async () => void (await topups.asked(who.storeId, topup)));
      return topup;
    },
    done: ({ id }, { t }) => ({ to: `/wallet?topup=${id}`, flash: walletTexts(t).topupOpened }),
  });
  const pages = [all, statement, opened, ...withdrawalPages(parts), ...accountPages(parts), ...pinPages(parts)];
  return (kit) => pages.flatMap((each) => each(kit));
};
