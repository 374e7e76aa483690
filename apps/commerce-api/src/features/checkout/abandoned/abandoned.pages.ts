import { NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { form, page } from '../../../web/page';
import { seenBy } from '../../sales/sight/public';
import { AbandonedQuery } from './abandoned.dto';
import type { AbandonedParts } from './abandoned.endpoints';
import { abandonedListing } from './abandoned.sql';
import { abandonedTexts } from './abandoned.texts';
import { AbandonedList } from './abandoned.view';

const told = (of: (say: ReturnType<typeof abandonedTexts>) => string) => ({
  text: (t: Reader) => of(abandonedTexts(t)),
});
const conflicts = {
  already_reminded: told((say) => say.already),
  no_number: told((say) => say.noNumberLeft),
  opted_out: told((say) => say.unwanted),
};

/** Carts that were left, and the word that brings their buyers back. */
export const abandonedPages = ({ database, by, reminders }: AbandonedParts): Pages => {
  const all = page({
    ...{ get: '/abandoned-carts', ability: 'checkout.write', query: AbandonedQuery, conflicts },
    title: ({ t }) => t.nav.places.carts,
    load: ({ viewer: { caller }, query }) => abandonedListing.page(database, caller.storeId, seenBy(caller, query)),
    view: AbandonedList,
    fragments: { list: AbandonedList },
  });
  const reminded = form({
    ...{ post: '/abandoned-carts/{token}/remind', ability: 'checkout.write', of: all },
    run: async ({ viewer, params: { token = '' }, tx }) => {
      if (!isUuid(token)) throw new NotFound('Abandoned cart not found');
      await reminders.ask(tx, by(viewer), token);
    },
    done: (_, { t }) => ({ to: '/abandoned-carts', flash: abandonedTexts(t).queued }),
  });
  return (kit) => [all, reminded].flatMap((pages) => pages(kit));
};
