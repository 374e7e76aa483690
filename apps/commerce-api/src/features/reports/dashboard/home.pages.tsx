import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import type { Dashboard } from './dashboard';
import { HomeView } from './home.view';

const CHART_DAYS = 14;
const BEST = 5;

/** What needs a person first, then how the shop does. */
export const homePages = (dashboard: Dashboard): Pages =>
  page({
    get: '/dashboard',
    ability: 'member',
    title: ({ t }) => t.nav.places.home,
    load: async ({ viewer: { caller } }) => {
      const [alerts, summary, chart, best] = await Promise.all([
        dashboard.alerts(caller),
        dashboard.summary(caller),
        dashboard.chart(caller, CHART_DAYS),
        dashboard.top(caller, CHART_DAYS, BEST),
      ]);
      return { alerts, summary, chart, best };
    },
    view: HomeView,
  });
