import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import type { SetupOf } from './setup';
import { setupTexts } from './setup.texts';
import { SetupView } from './setup.view';

/** Where a new shop begins. */
export const setupPages = (setupOf: SetupOf): Pages =>
  page({
    get: '/onboarding',
    ability: 'member',
    back: '/dashboard',
    title: ({ t }) => setupTexts(t).title,
    load: ({ viewer: { caller } }) => setupOf(caller.storeId),
    view: SetupView,
  });
