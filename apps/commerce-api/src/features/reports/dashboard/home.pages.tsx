import type { Caller } from '../../../abilities';
import { ifTold } from '../../../web/away';
import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import type { Dashboard } from './dashboard';
import type { WaitingChats } from '../../inbox/desk/public';
import type { Setup, SetupOf } from '../onboarding/public';
import { HomeView } from './home.view';

const CHART_DAYS = 14;
const BEST = 5;

/** For who sets the shop up, until it has sold something; then figures say more. */
const beginning = async (setupOf: SetupOf, { storeId, abilities }: Caller): Promise<Setup | undefined> => {
  if (!abilities.has('settings.write')) return undefined;
  const setup = await setupOf(storeId);
  return setup.done.sale ? undefined : setup;
};

/** What needs a person first, then how the shop does. */
export const homePages = (
  dashboard: Dashboard,
  setupOf: SetupOf,
  waiting: ((caller: Caller) => Promise<WaitingChats>) | undefined,
): Pages =>
  page({
    get: '/dashboard',
    ability: 'member',
    title: ({ t }) => t.nav.places.home,
    load: async ({ viewer: { caller } }) => {
      const [alerts, proofs, summary, chart, best, setup, chats] = await Promise.all([
        dashboard.alerts(caller),
        dashboard.proofs(caller),
        dashboard.summary(caller),
        dashboard.chart(caller, CHART_DAYS),
        dashboard.top(caller, CHART_DAYS, BEST),
        beginning(setupOf, caller),
        waiting && caller.abilities.has('chat.reply') ? ifTold(waiting(caller)) : undefined,
      ]);
      return { alerts, proofs, summary, chart, best, setup, chats };
    },
    view: HomeView,
  });
