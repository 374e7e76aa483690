import type { Report } from './bench.types';
import { MAIN, SCHEMA, serviceSettings } from './chat-backend';
import { inboxSteps } from './inbox-data';
import { scratchFolder } from './scratch-folder';
import { seededDatabase, type Seeded } from './seeded-database';
import { tokenIssuer } from './token-issuer';

/** A database with so many conversations of ten messages each, migrated by the service itself and seeded unless it already is. */
export const seededInbox = async (report: Report, conversations: number): Promise<Seeded> => {
  const { path: folder } = await scratchFolder(report);
  const { url: issuer } = await tokenIssuer(report);
  return seededDatabase(report, {
    ...{ database: `inbox_${conversations}`, schema: SCHEMA, main: MAIN },
    settings: (url) => serviceSettings({ url, issuer, folder }),
    title: `inbox of ${conversations.toLocaleString('en-US')} conversations`,
    steps: inboxSteps(conversations),
  });
};
