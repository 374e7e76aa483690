import type { AnyFailure } from '@platform/errors';
import { guestForm } from '../../../web/guest.page';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { goesOn, personOf } from '../../identity/pages/public';
import type { AcceptService } from './accept.service';
import { acceptTexts } from './accept.texts';
import { AcceptForm } from './accept.view';
import { AcceptBody } from './invitations.dto';

const labels = (t: Reader) => ({ name: acceptTexts(t).name, password: acceptTexts(t).password });

const said = (failure: AnyFailure, t: Reader): string | undefined => {
  if (failure.code === 'already_member') return acceptTexts(t).already;
  if (failure.code === 'store_suspended') return t.failure.suspended.title;
  return undefined;
};

/** The page that the link of an invitation leads to. */
export const acceptPages = (accepting: Pick<AcceptService, 'show' | 'admit'>): Pages =>
  guestForm({
    ...{ path: '/invitation/{token}', guard: 'buyer', isOnce: true, body: AcceptBody, view: AcceptForm, labels, said },
    title: (t) => acceptTexts(t).title,
    load: ({ params: { token = '' } }) => accepting.show(token),
    run: async ({ body, visitor, kit, guest }) => {
      const admitted = await accepting.admit(body, visitor, 'web');
      const proved = 'challenge' in admitted ? admitted : personOf(admitted);
      return goesOn(kit, proved, { guest, next: '/dashboard' });
    },
  });
