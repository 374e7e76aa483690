import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import type { Config } from '../../config';
import type { MediaLibrary } from '../media/uploads/public';
import { analyticsPage } from './visits/analytics.pages';
import { WINDOW_DAYS } from './attribution/public';
import { bioPages } from './biolinks/bio.pages';
import { biolinksEndpoints } from './biolinks/biolinks.endpoints';
import { blocksEndpoints } from './biolinks/blocks.endpoints';
import { builderPages } from './biolinks/builder.pages';
import { PublicBiolinks, VIEWS } from './biolinks/public';
import { Tally } from './counting/public';
import { marketingAbilities } from './marketing.abilities';
import { CLICKS, ShortLinks } from './trackers/public';
import { shortLinkPage } from './trackers/short.pages';
import { trackerPages } from './trackers/trackers.pages';
import { trackersEndpoints } from './trackers/trackers.endpoints';
import type { PurchaseObserver } from './visits/purchases';
import { VisitorEvents } from './visits/visitor.events';
import { visitsEndpoints } from './visits/visits.endpoints';

const DAY_MS = 86_400_000;
/** Counters stay; who visited, and what they did, is forgotten once no order looks back at it. */
const VISITORS = [
  { table: 'visit_event', column: 'at', keepMs: WINDOW_DAYS * DAY_MS },
  { table: 'visit', column: 'last_at', keepMs: (WINDOW_DAYS + 1) * DAY_MS },
  { table: 'tracker_chat', column: 'at', keepMs: 30 * DAY_MS },
];

/** What the public pages of a shop ask. */
export interface MarketingArea extends Area {
  readonly shortLinks: ShortLinks;
  readonly biolinks: PublicBiolinks;
}

interface Parts extends AreaParts {
  readonly media: { readonly library: MediaLibrary };
}

/** Pages of links, short links, and from where visitors come. */
export const composeMarketing = (
  { PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, media }: Parts,
  purchased: PurchaseObserver,
): MarketingArea => {
  const [views, clicks] = [new Tally({ database, clock }, VIEWS), new Tally({ database, clock }, CLICKS)];
  const events = new VisitorEvents(database);
  const shortLinks = new ShortLinks(database, clicks);
  const biolinks = new PublicBiolinks(database, views);
  return {
    pages: [
      shortLinkPage(shortLinks),
      trackerPages({ database, clock, publicUrl }),
      bioPages(biolinks),
      analyticsPage({ database, clock }),
      builderPages({ database, clock, publicUrl, pictures: media.library }),
    ],
    endpoints: [
      ...biolinksEndpoints({ database, clock, publicUrl, pictures: media.library }),
      ...blocksEndpoints({ database, clock }),
      ...trackersEndpoints({ database, clock, publicUrl }),
      ...visitsEndpoints({ database, clock, events, purchased }),
    ],
    components: [views, clicks, events, new Housekeeping(database, { clock, logger, expired: VISITORS })],
    abilities: marketingAbilities,
    shortLinks,
    biolinks,
  };
};
