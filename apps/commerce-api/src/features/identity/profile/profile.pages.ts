import type { AreaParts } from '../../../area';
import type { Caller } from '../../../abilities';
import { isLocale } from '../../../web/i18n/locale';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { setLocale } from '../../../web/sessions/session.sql';
import { endOtherSessions } from '../../../web/sessions/web.sessions';
import type { Subscriptions } from '../../notifications/pushes/public';
import {
  changeWays,
  deviceActions,
  deviceConflicts,
  WaysEdit,
  waysOf,
  waysTexts,
} from '../../notifications/ways/public';
import { AVATAR_LIMIT, FirstCode, LastProof, PasswordChange, PasswordProof, ProfileChange } from './profile.dto';
import type { Person, ProfileService } from './profile.service';
import { profileTexts } from './profile.texts';
import { PROFILE, ProfileView } from './profile.view';

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly profile: ProfileService;
  readonly browsers: Subscriptions;
}

const labels = (t: Reader) => {
  const { name, phone, language, file, current, fresh, factor } = profileTexts(t);
  return { name, phone, locale: language, file, current_password: current, password: fresh, code: factor.code };
};

const conflicts = {
  ...deviceConflicts,
  two_factor_on: { text: (t: Reader) => profileTexts(t).factor.alreadyOn },
  two_factor_off: { text: (t: Reader) => profileTexts(t).factor.alreadyOff },
  paymentRequired: { text: (t: Reader) => t.failure.unpaid.text },
  two_factor_not_begun: { text: (t: Reader) => profileTexts(t).factor.notBegun },
};

/** Whoever is signed in, as their own account knows them. */
const personOf = ({ storeId, actor, sid = '', address }: Caller): Person => ({
  claims: { sub: actor, sid, store_id: storeId },
  address,
});

/** All was done before. */
const nothing = (): Promise<void> => Promise.resolve();
const back =
  (text: (t: Reader) => string) =>
  (_: unknown, { t }: { readonly t: Reader }) => ({
    to: PROFILE,
    flash: text(t),
  });

/** What people do with their own account; store-auth does it, so no transaction waits. */
const ofAccount = ({ database, clock, profile }: Parts) => ({
  save: action({
    body: ProfileChange,
    before: ({ viewer, body }) => profile.change(personOf(viewer.caller), body),
    // The pages speak it from now on, in all of their browsers
    run: async ({ viewer, tx, ready: { locale } }) => {
      await setLocale(tx, viewer.caller.actor, locale);
      return isLocale(locale) ? locale : undefined;
    },
    done: (language, { t }) => ({ to: PROFILE, flash: profileTexts(t).saved, ...(language && { language }) }),
  }),
  picture: action({
    before: ({ viewer, files }) => profile.portray(personOf(viewer.caller), files[0]),
    run: nothing,
    done: back((t) => profileTexts(t).uploaded),
  }),
  password: action({
    body: PasswordChange,
    before: ({ viewer, body }) => profile.changePassword(personOf(viewer.caller), body),
    run: ({ viewer, tx }) => endOtherSessions(tx, viewer.session, clock.now()),
    done: back((t) => profileTexts(t).changed),
  }),
  elsewhere: action({
    before: async ({ viewer }) => {
      await endOtherSessions(database, viewer.session, clock.now());
      return profile.signOutElsewhere(personOf(viewer.caller));
    },
    run: ({ ready }) => Promise.resolve(ready),
    // The profile itself is not there while store-auth is away
    done: (all, { t }) => {
      const { ended, partly } = profileTexts(t).elsewhere;
      return all ? { to: PROFILE, flash: ended } : { to: '/dashboard', flash: partly };
    },
  }),
});

const ofSecondFactor = (profile: ProfileService) => ({
  begin: action({
    body: PasswordProof,
    before: ({ viewer, body }) => profile.beginSecondFactor(personOf(viewer.caller), body.password),
    run: ({ ready }) => Promise.resolve(ready),
    shows: (enrolment) => ({ enrolment }),
    done: back((t) => profileTexts(t).factor.begun),
  }),
  confirm: action({
    body: FirstCode,
    before: ({ viewer, body }) => profile.confirmSecondFactor(personOf(viewer.caller), body.code),
    run: ({ ready }) => Promise.resolve(ready),
    shows: (recoveryCodes) => ({ recoveryCodes }),
    done: back((t) => profileTexts(t).factor.isOn),
  }),
  end: action({
    body: LastProof,
    before: ({ viewer, body }) => profile.endSecondFactor(personOf(viewer.caller), body),
    run: nothing,
    done: back((t) => profileTexts(t).factor.isOff),
  }),
});

/** One's own account, whatever one may do in the store. */
export const profilePages = (parts: Parts): Pages => {
  const { database, profile, browsers } = parts;
  const one = page({
    ...{ get: PROFILE, ability: 'person', back: '/dashboard', isSecret: true, labels, conflicts, tells: true },
    title: ({ t }) => profileTexts(t).title,
    load: async ({ viewer: { caller, closed } }) => {
      // By which ways a store tells its people is a matter of that store
      const [user, ways] = await Promise.all([
        profile.show(personOf(caller)),
        closed ? undefined : waysOf(database, caller, browsers),
      ]);
      return { user, ways };
    },
    view: ProfileView,
  });
  const posted = actions({
    ...{ post: PROFILE, ability: 'person', of: one, mostBytes: AVATAR_LIMIT, fileAction: 'picture' },
    secretFields: ['current_password', 'password', 'code'],
    on: {
      ...ofAccount(parts),
      ...ofSecondFactor(profile),
      ...deviceActions(browsers, PROFILE),
      ways: action({
        body: WaysEdit,
        run: ({ viewer: { caller, closed }, body, tx }) => {
          if (closed) throw closed;
          return changeWays(tx, caller, body, browsers.isOffered);
        },
        done: back((t) => waysTexts(t).saved),
      }),
    },
  });
  return (kit) => [one, posted].flatMap((pages) => pages(kit));
};
