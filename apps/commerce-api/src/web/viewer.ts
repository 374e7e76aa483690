import type { Failure } from '@platform/errors';
import type { Caller } from '../abilities';
import type { Locale } from './i18n/locale';
import type { OpenSession } from './sessions/web.sessions';

/** Who looks at a page of the back office: a member of a store, as the API knows them, and what every page shows of them. */
export interface Viewer {
  readonly caller: Caller;
  readonly session: OpenSession;
  readonly locale: Locale;
  /** Asks what there is, and is shown nothing of it: uses up nothing that is shown once. */
  readonly onlyLooks: boolean;
  /** Why their store is closed to them, where a page of their own is open all the same. */
  readonly closed?: Failure;
}

/** Who looks at a page that asks for no sign-in. */
export interface Guest {
  readonly locale: Locale;
  /** Of the browser, for the forms that it is given. */
  readonly secret: string;
  /** By which the browser is known as one that is pushed to, as it says itself. */
  readonly browser: string | undefined;
  /** The browser does not have it yet. */
  readonly isNew: boolean;
  /** Somebody who is signed in needs no form to do so. */
  readonly isMember: boolean;
  /** Asks what there is, and is shown nothing of it: counts as nobody. */
  readonly onlyLooks: boolean;
}
