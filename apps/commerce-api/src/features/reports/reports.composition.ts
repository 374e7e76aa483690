import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Siblings } from '../../siblings.composition';
import { InboxDesk, waitingChats } from '../inbox/desk/public';
import type { PrivateFiles } from '../media/links/public';
import type { MediaLibrary } from '../media/uploads/public';
import { Dashboard } from './dashboard/dashboard';
import { dashboardEndpoints } from './dashboard/dashboard.endpoints';
import { homePages } from './dashboard/home.pages';
import { reportPages } from './reading/reports.pages';
import { figuresEndpoints } from './figures/figures.endpoints';
import { ProductDays } from './figures/public';
import { filesEndpoints } from './files/files.endpoints';
import { ReportWriter } from './files/report.writer';
import { setupsIn } from './onboarding/setup';
import { setupPages } from './onboarding/setup.pages';
import { reportsAbilities } from './reports.abilities';

interface Parts extends AreaParts {
  readonly siblings: Pick<Siblings, 'stats' | 'glance' | 'handled' | 'states'>;
  readonly media: { readonly library: MediaLibrary; readonly privately: PrivateFiles };
}

const EVERY_TEN_MINUTES = [{ pattern: '*/10 * * * *' }];

/** What a store sees of what works: the dashboard, reports, and reports as files. */
export const composeReports = ({ database, clock, logger, queue, siblings, media }: Parts): Area => {
  const { stats: chats, glance, handled, states } = siblings;
  const waiting = glance && waitingChats(database, new InboxDesk({ database, chat: glance, chatFiles: undefined }));
  const { library, privately } = media;
  const dashboard = new Dashboard({ sql: database, clock, logger, chats, states });
  const setupOf = setupsIn(database, states);
  const days = new ProductDays({ database, clock, logger });
  const writer = new ReportWriter({ database, clock, library, chats, handled });
  return {
    endpoints: [
      ...dashboardEndpoints(dashboard),
      ...figuresEndpoints({ sql: database, chats }),
      ...filesEndpoints({ sql: database, queue, by: byOf(clock), privately }),
    ],
    components: [],
    pages: [
      homePages(dashboard, setupOf, waiting),
      setupPages(setupOf),
      reportPages({ database, clock, queue, chats, privately }),
    ],
    abilities: reportsAbilities,
    jobs: {
      'report.file': { effect: 'outside', run: (report, job) => writer.write(report, job) },
      'report.days': { effect: 'inside', run: (_none, { signal }) => days.sumUp(signal), cron: EVERY_TEN_MINUTES },
    },
  };
};
