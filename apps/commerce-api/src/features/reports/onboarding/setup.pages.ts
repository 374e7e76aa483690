import type { Sql } from '@platform/data';
import type { Pages } from '../../../web/kit';
import { page } from '../../../web/page';
import { setupOf } from './setup';
import { setupTexts } from './setup.texts';
import { SetupView } from './setup.view';

/** Where a new shop begins. */
export const setupPages = (sql: Sql): Pages =>
  page({
    get: '/onboarding',
    ability: 'member',
    back: '/dashboard',
    title: ({ t }) => setupTexts(t).title,
    load: ({ viewer: { caller } }) => setupOf(sql, caller.storeId),
    view: SetupView,
  });
