import type { Endpoint, RequestView } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { PageAssets } from './assets/assets';
import type { Drafts } from './sessions/drafts';
import type { LiveStreams } from './live/live.streams';
import type { PageAbility } from './session.guard';
import type { GuestSecrets } from './sessions/guest.secrets';
import type { MadeSecrets } from './sessions/made.secrets';
import type { WebSessions } from './sessions/web.sessions';
import type { Viewer } from './viewer';

/** What all pages are made with. */
export interface WebKit {
  readonly assets: PageAssets;
  readonly clock: Clock;
  readonly sessions: WebSessions;
  readonly guests: GuestSecrets;
  readonly drafts: Drafts;
  readonly made: MadeSecrets;
  readonly streams: LiveStreams;
  /** Who these headers say is there, if they may open the page still; throws as its guard does. */
  readonly stillOf: (ability: PageAbility, path: string, headers: RequestView['headers']) => Promise<Viewer>;
  /** Cookies go over TLS only. */
  readonly secure: boolean;
  /** The guard of the page at this address; undefined: there is none. */
  readonly guardOf: (path: string) => string | undefined;
}

/** Pages of a feature, as `page()`, `form()` and `actions()` make them. */
export type Pages = (kit: WebKit) => readonly Endpoint[];
