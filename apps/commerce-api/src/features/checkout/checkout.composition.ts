import { Housekeeping } from '@platform/data';
import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { ChatMessages } from '../../clients/chat.messages';
import type { Config } from '../../config';
import { abandonedEndpoints } from './abandoned/abandoned.endpoints';
import { abandonIdle } from './abandoned/abandoned.sql';
import { Reminders } from './abandoned/reminders';
import { checkoutAbilities } from './checkout.abilities';
import type { PickingParts } from '../sales/picking/public';
import { abandonedPages } from './abandoned/abandoned.pages';
import { linkPages } from './links/links.pages';
import { linksEndpoints } from './links/links.endpoints';
import { checkoutPages } from './sessions/checkout.pages';
import type { PlaceFinder } from './sessions/cart-places';
import { Sessions, type PlacingParts, type SessionParts } from './sessions/public';
import { sessionsEndpoints } from './sessions/sessions.endpoints';

interface CheckoutParts extends AreaParts, Pick<SessionParts, 'rates'>, Pick<PlacingParts, 'buyers' | 'tills'> {
  readonly messages: ChatMessages | undefined;
  readonly goods: PickingParts['goods'];
  readonly areas: PlaceFinder;
}

/** Carts that nobody has placed are forgotten a month after they could last be opened; who typed a number in is not asked to delete it. */
const CARTS = { table: 'checkout_session', column: 'expires_at', keepMs: 30 * 86_400_000 };
const EVERY_FIVE_MINUTES = [{ pattern: '*/5 * * * *' }];

/** Links that sell, the carts of buyers without a login, and what becomes of those that are left. */
export const composeCheckout = (
  { PAY_LINK_SECRET: secret, PUBLIC_URL: publicUrl }: Config,
  { database, clock, logger, queue, messages, rates, areas, buyers, tills, goods }: CheckoutParts,
): Area & { readonly sessions: Sessions } => {
  const parts = { database, clock };
  const reminders = new Reminders({ sql: database, queue, logger, messages, secret, publicUrl });
  const sessions = new Sessions({ ...parts, rates, gateways: tills.gateways });
  const placing = { clock, buyers, tills };
  const pages = { secret, publicUrl };
  return {
    sessions,
    endpoints: [
      ...linksEndpoints({ ...parts, publicUrl }),
      ...abandonedEndpoints({ database, by: byOf(clock), reminders }),
      ...sessionsEndpoints(sessions, placing, pages),
    ],
    pages: [
      linkPages({ ...parts, publicUrl, goods }),
      abandonedPages({ database, by: byOf(clock), reminders }),
      checkoutPages({ database, sessions, placing, areas, pages }),
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [CARTS] })],
    abilities: checkoutAbilities,
    jobs: {
      'checkout.abandoned': {
        effect: 'inside',
        cron: EVERY_FIVE_MINUTES,
        run: (_payload, { signal }) => abandonIdle(database, clock.now(), signal),
      },
      'checkout.remind': { effect: 'outside', run: (reminder) => reminders.send(reminder) },
    },
  };
};
