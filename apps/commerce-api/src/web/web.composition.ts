import { createHmac } from 'node:crypto';
import { secretBox } from '@platform/auth';
import { Housekeeping, type Database } from '@platform/data';
import type { Endpoint, Guard, Service } from '@platform/http';
import type { Clock, Logger } from '@platform/runtime';
import type { Ability, Need } from '../abilities';
import type { IdentityClient } from '../clients/store-auth.client';
import type { Config } from '../config';
import type { Deps } from '../deps';
import { PageAssets } from './assets/assets';
import { unknownPage } from './failure.page';
import type { Pages, WebKit } from './kit';
import { LiveStreams } from './live/live.streams';
import { MountedPages } from './mounted';
import { guestGuard, holderGuards, pageGuards } from './session.guard';
import { Drafts } from './sessions/drafts';
import { GuestSecrets } from './sessions/guest.secrets';
import { MadeSecrets } from './sessions/made.secrets';
import { WebSessions } from './sessions/web.sessions';

const DAY_MS = 86_400_000;
/** After them nobody's form is asked for any more. */
const SESSIONS = { table: 'web_session', column: 'seen_at', keepMs: 30 * DAY_MS };
const DRAFTS = { table: 'form_draft', column: 'created_at', keepMs: DAY_MS / 24 };

interface WebParts extends Pick<Deps, 'pageFiles'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly identity: IdentityClient;
  readonly abilities: readonly Ability[];
  /** Guards of the API: a page allows what they allow. */
  readonly api: Readonly<Record<string, Guard<unknown>>>;
  /** Of the API. */
  readonly endpoints: readonly Endpoint[];
  readonly pages: readonly Pages[];
}

type Web = Required<Pick<Service, 'endpoints' | 'guards' | 'unknownPage' | 'assets' | 'pagesName'>> & {
  readonly housekeeping: Housekeeping;
  readonly streams: LiveStreams;
};

/** The API with the pages of the shop beside it, on the same services. */
export const composeWeb = (config: Config, parts: WebParts): Web => {
  const { database, clock, logger, identity, abilities, api, endpoints, pages } = parts;
  const secure = config.APP_ENV === 'production';
  const box = secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' });
  const sessions = new WebSessions({ sql: database, identity, box, clock });
  const guests = new GuestSecrets(createHmac('sha256', config.PAY_LINK_SECRET).update('guests').digest('base64'));
  const assets = new PageAssets(
    { publicUrl: config.PUBLIC_URL ?? '', bucketUrl: config.S3_PUBLIC_URL },
    parts.pageFiles,
  );
  const drafts = new Drafts({ sql: database, box, clock, secure });
  const made = new MadeSecrets({ box, clock });
  const mounted = new MountedPages();
  const needs: readonly Need[] = [...abilities, 'member'];
  const members = pageGuards(sessions, api, needs);
  const streams = new LiveStreams(logger);
  const kit: WebKit = {
    ...{ assets, clock, sessions, guests, secure, drafts, made, streams, guardOf: (path) => mounted.guardOf(path) },
    stillOf: async (ability, path, headers) => {
      const request = { method: 'GET', path, target: path, headers, remoteAddress: '', address: '', params: {} };
      return members[`page:${ability}`].authenticate(request);
    },
  };
  return {
    endpoints: [...endpoints, ...pages.flatMap((each) => mounted.add(each(kit)))],
    guards: {
      ...api,
      ...members,
      ...holderGuards(sessions),
      guest: guestGuard(sessions, guests, 'guest'),
      visitor: guestGuard(sessions, guests, 'none'),
      buyer: guestGuard(sessions, guests, 'none+link'),
    },
    unknownPage: unknownPage(kit),
    assets: assets.served,
    pagesName: 'commerce-web',
    streams,
    housekeeping: new Housekeeping(database, { clock, logger, expired: [SESSIONS, DRAFTS] }),
  };
};
