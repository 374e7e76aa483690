import { Redirect, Reply, type Endpoint, type ReplyHeaders } from '@platform/http';
import { Text } from '@platform/validation';
import { refusals } from '../../../refusals';
import { FORM, foreignForm, pageEndpoint, readForm, type Given } from '../../../web/form.state';
import type { Pages, WebKit } from '../../../web/kit';
import { SESSION_COOKIE } from '../../../web/session.guard';
import { setCookie } from '../../../web/sessions/cookies';
import { isCsrfToken } from '../../../web/sessions/csrf';
import { formSecret, type OpenSession } from '../../../web/sessions/web.sessions';
import { refusedPage } from '../../../web/shown.page';
import type { IdentityClient } from '../../../clients/store-auth.client';

class SwitchBody {
  @Text({ max: 36, trim: true }) store_id!: string;
}

interface Holding {
  readonly caller: { readonly session: OpenSession };
  readonly body: Given;
}

const holding = (kit: WebKit, post: string) => ({
  ...{ ...FORM, post, summary: `The form of ${post}`, guard: 'session' },
  refused: refusedPage(kit),
});

/** A tab that still shows the store before leads on from there as well. */
const demandForm = ({ secret, store_id, stores }: OpenSession, given: unknown): void => {
  const known = [store_id, ...stores.map(({ id }) => id)];
  if (!known.some((id) => isCsrfToken(formSecret({ secret, store_id: id }), given))) throw foreignForm();
};

/** Back leads to no page of the shop any more: browsers drop what they kept of it. */
const SIGNED_OUT: ReplyHeaders = { 'Clear-Site-Data': '"cache"', 'Cache-Control': 'no-store' };

const logout = (kit: WebKit, identity: Pick<IdentityClient, 'revoke'>): Endpoint =>
  pageEndpoint({
    ...holding(kit, '/logout'),
    handle: async ({ caller: { session }, body }: Holding) => {
      demandForm(session, body._csrf);
      await identity.revoke(session.token);
      await kit.sessions.forget(session.secret);
      const cookie = setCookie(SESSION_COOKIE, '', { secure: kit.secure, maxAge: 0 });
      return new Reply(new Redirect('/login', 303), { headers: { ...SIGNED_OUT, 'Set-Cookie': [cookie] } });
    },
  });

const switchStore = (kit: WebKit, identity: Pick<IdentityClient, 'switchStore'>): Endpoint =>
  pageEndpoint({
    ...holding(kit, '/switch-store'),
    handle: async ({ caller: { session }, body: fields }: Holding) => {
      demandForm(session, fields._csrf);
      const { store_id } = readForm(SwitchBody, fields);
      const grant = await identity.switchStore(session.token, store_id);
      if (!grant || grant === 'not_a_member') throw refusals.notAMember();
      await kit.sessions.move(session, grant, store_id);
      return new Redirect('/dashboard', 303);
    },
  });

/** What somebody does with their own sign-in. */
export const sessionPages =
  (identity: Pick<IdentityClient, 'revoke' | 'switchStore'>): Pages =>
  (kit) => [logout(kit, identity), switchStore(kit, identity)];
