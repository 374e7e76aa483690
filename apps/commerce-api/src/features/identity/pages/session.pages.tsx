import { Unavailable } from '@platform/errors';
import { Redirect, Reply, type Endpoint, type ReplyHeaders } from '@platform/http';
import { Text } from '@platform/validation';
import { refusals } from '../../../refusals';
import { FORM, foreignForm, pageEndpoint, readForm, type Given } from '../../../web/form.state';
import type { Pages, WebKit } from '../../../web/kit';
import { safeNext } from '../../../web/next';
import { BROWSER_COOKIE, SESSION_COOKIE } from '../../../web/session.guard';
import { cookieOf, setCookie } from '../../../web/sessions/cookies';
import { isCsrfToken } from '../../../web/sessions/csrf';
import { formSecret, type OpenSession } from '../../../web/sessions/web.sessions';
import { refusedPage } from '../../../web/shown.page';
import type { IdentityClient } from '../../../clients/store-auth.client';
import type { People } from '../access/public';

class SwitchBody {
  @Text({ max: 36, trim: true }) store_id!: string;
  @Text({ optional: true, max: 2048 }) next?: string;
}

interface Holding {
  readonly caller: { readonly session: OpenSession };
  readonly body: Given;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

interface Parts {
  readonly identity: Pick<IdentityClient, 'revoke' | 'switchStore'>;
  readonly people: Pick<People, 'signedOut'>;
}

const holding = (kit: WebKit, post: string, guard: 'session' | 'leaving' = 'session') => ({
  ...{ ...FORM, post, summary: `The form of ${post}`, guard },
  refused: refusedPage(kit),
});

/** A tab that still shows the store before leads on from there as well. */
const demandForm = ({ secret, store_id, stores }: OpenSession, given: unknown): void => {
  const known = [store_id, ...stores.map(({ id }) => id)];
  if (!known.some((id) => isCsrfToken(formSecret({ secret, store_id: id }), given))) throw foreignForm();
};

/** Back leads to no page of the shop any more: browsers drop what they kept of it. */
const SIGNED_OUT: ReplyHeaders = { 'Clear-Site-Data': '"cache"', 'Cache-Control': 'no-store' };

/** A browser can be left while store-auth is away: its token goes with its session, and nobody else has the login's. */
const unlessAway = (failure: unknown): void => {
  if (!(failure instanceof Unavailable)) throw failure;
};

const logout = (kit: WebKit, { identity, people }: Parts): Endpoint =>
  pageEndpoint({
    ...holding(kit, '/logout', 'leaving'),
    handle: async ({ caller: { session }, body, headers }: Holding) => {
      demandForm(session, body._csrf);
      const left = { userId: session.user_id, browser: cookieOf(headers.cookie, BROWSER_COOKIE) };
      await identity
        .revoke(session.token)
        .catch(unlessAway)
        .finally(() => people.signedOut(left));
      await kit.sessions.forget(session.secret);
      const cookie = setCookie(SESSION_COOKIE, '', { secure: kit.secure, maxAge: 0 });
      return new Reply(new Redirect('/login', 303), { headers: { ...SIGNED_OUT, 'Set-Cookie': [cookie] } });
    },
  });

const switchStore = (kit: WebKit, { identity }: Parts): Endpoint =>
  pageEndpoint({
    ...holding(kit, '/switch-store'),
    handle: async ({ caller: { session }, body: fields }: Holding) => {
      demandForm(session, fields._csrf);
      const { store_id, next } = readForm(SwitchBody, fields);
      const grant = await identity.switchStore(session.token, store_id);
      if (!grant || grant === 'not_a_member') throw refusals.notAMember();
      await kit.sessions.move(session, grant, store_id);
      return new Redirect(safeNext(next), 303);
    },
  });

/** What somebody does with their own sign-in. */
export const sessionPages =
  (parts: Parts): Pages =>
  (kit) => [logout(kit, parts), switchStore(kit, parts)];
