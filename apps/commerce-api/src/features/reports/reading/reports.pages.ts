import type { AnyFailure } from '@platform/errors';
import { Choice } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import type { ChatFigures } from '../../../clients/chat.stats';
import { AWAY } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { form, page } from '../../../web/page';
import { DaysQuery, daysOf } from '../../marketing/counting/public';
import type { PrivateFiles } from '../../media/links/public';
import { seenBy } from '../../sales/sight/public';
import { agentsOf, paymentsOf, productsOf, salesOf, type Span } from '../figures/public';
import { ExportBody, latestExports, queueReport, reports, type ReportName } from '../files/public';
import { MOST_ROWS } from './figures.view';
import { reportTexts } from './reports.texts';
import { Files, ReportsView, type FileAsked, type Figures, type Read } from './reports.view';

interface Parts extends Pick<AreaParts, 'database' | 'clock' | 'queue'> {
  readonly chats: ChatFigures | undefined;
  readonly privately: Pick<PrivateFiles, 'forMaker'>;
}

const drawn = ['day', 'channel'] as const;

class ReportsQuery extends DaysQuery {
  @Choice(reports, { optional: true, description: '`sales` unless given' }) report?: ReportName;
  @Choice(drawn, { optional: true, description: '`day` unless given' }) group?: (typeof drawn)[number];
}

/** Other figures stand although those of another service cannot be read. */
const unlessAway = (failure: unknown): undefined => {
  if (AWAY.has((failure as AnyFailure).kind)) return undefined;
  throw failure;
};

const figuresOf = async (
  { database, chats }: Parts,
  caller: Caller,
  span: Span,
  { report = 'sales', group = 'day' }: ReportsQuery,
): Promise<Figures> => {
  const { storeId, sight, abilities } = caller;
  const seen = seenBy(caller, span);
  if (report === 'sales') return { report, group, rows: await salesOf(database, storeId, { ...seen, group }) };
  if (report === 'payments') return { report, rows: await paymentsOf(database, storeId, seen) };
  if (report === 'products') {
    const rows = await productsOf(database, storeId, { ...seen, limit: MOST_ROWS + 1 });
    return { report, costs: abilities.has('product.cost'), rows };
  }
  const asked = { ...seen, only: sight?.handledBy };
  return { report, rows: await agentsOf(database, chats, storeId, asked).catch(unlessAway) };
};

const filesOf = async ({ database, clock, privately }: Parts, caller: Caller): Promise<FileAsked[]> => {
  const { storeId, actor } = caller;
  const holder = byOf(clock)({ caller }).audit.actor;
  const asked = await latestExports(database, storeId, actor);
  return Promise.all(
    asked.map(async (each) => ({
      ...each,
      url: each.mediaId === null ? null : await privately.forMaker({ ...each, storeId, mediaId: each.mediaId, holder }),
    })),
  );
};

const readPage = (parts: Parts) =>
  page({
    get: '/reports',
    ability: 'report.read',
    query: ReportsQuery,
    title: ({ t }) => t.nav.places.reports,
    load: async ({ viewer: { caller }, query }): Promise<Read> => {
      const span = await daysOf(parts.database, caller.storeId, query, parts.clock.now());
      const [figures, files] = await Promise.all([figuresOf(parts, caller, span, query), filesOf(parts, caller)]);
      return { span, figures, files };
    },
    view: ReportsView,
    own: 'market',
    fragments: { files: Files },
    conflicts: { too_many_reports: { text: (t: Reader) => reportTexts(t).tooMany } },
  });

/** What a shop has sold, with whose money and by whom, and the same as files. */
export const reportPages = (parts: Parts): Pages => {
  const by = byOf(parts.clock);
  const read = readPage(parts);
  const exported = form({
    ...{ post: '/reports/export', ability: 'report.read', of: read },
    body: ExportBody,
    run: async ({ viewer, body, tx }) => {
      const { caller } = viewer;
      await queueReport(tx, { queue: parts.queue, caller, writer: by(viewer) }, body);
      return body;
    },
    done: ({ report, from, to, group }, { t }) => {
      const asked = new URLSearchParams({ report, from, to, ...(group && { group }) });
      return { to: `/reports?${asked.toString()}`, flash: reportTexts(t).made };
    },
  });
  return (kit) => [read, exported].flatMap((pages) => pages(kit));
};
