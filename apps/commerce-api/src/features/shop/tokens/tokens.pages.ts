import type { Clock } from '@platform/runtime';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { within } from '../../../web/within';
import { roleTexts } from '../../team/roles/public';
import { TokenEdit, TokenNamed, type Lifetime } from './tokens.pages.dto';
import { TokensService } from './tokens.service';
import { tokenTexts } from './tokens.texts';
import { TokensView } from './tokens.view';

const TO = '/settings/api-tokens';
const DAY_MS = 86_400_000;
const DAYS: Readonly<Record<Lifetime, number | undefined>> = { year: 365, quarter: 90, month: 30, forever: undefined };

const labels = (t: Reader) => {
  const { name, lasts } = tokenTexts(t);
  const { abilities } = roleTexts(t);
  return { name, lasts, abilities, 'abilities[]': abilities };
};

const conflicts = { too_many_tokens: { text: (t: Reader) => tokenTexts(t).tooMany } };

const endOf = (lasts: Lifetime, now: Date): string | undefined => {
  const days = DAYS[lasts];
  return days === undefined ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString();
};

/** Tokens of a store for programs. One is shown when it is made, on the answer itself: no address, no cookie and no row holds it. */
export const tokensPages = (database: ConstructorParameters<typeof TokensService>[0], clock: Clock): Pages => {
  const all = page({
    ...{ get: TO, ability: 'token.write', back: '/settings/shop', isSecret: true, labels, conflicts },
    title: ({ t }) => t.nav.places.apiTokens,
    load: async ({ viewer: { caller } }) => ({ tokens: await new TokensService(database, clock).list(caller.storeId) }),
    view: TokensView,
  });
  const posted = actions({
    ...{ post: TO, ability: 'token.write', of: all },
    on: {
      create: action({
        body: TokenEdit,
        run: ({ viewer, body: { lasts, ...body }, tx }) =>
          new TokensService(within(tx), clock).create(viewer.caller, {
            ...{ ...body, expires_at: endOf(lasts, clock.now()) },
          }),
        shows: (made) => ({ made }),
        done: (_, { t }) => ({ to: TO, flash: tokenTexts(t).made }),
      }),
      revoke: action({
        body: TokenNamed,
        run: ({ viewer, body: { id }, tx }) => new TokensService(within(tx), clock).revoke(viewer.caller, id),
        done: (_, { t }) => ({ to: TO, flash: tokenTexts(t).revoked }),
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
