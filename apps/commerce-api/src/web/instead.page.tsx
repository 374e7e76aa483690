import type { AnyFailure } from '@platform/errors';
import { rendered, Reply, type Page, type RefusedRequest, type ShowRefusal } from '@platform/http';
import { draftOf, saidOf, type OfForm } from './failure.page';
import { typedIn } from './form.fields';
import { placed } from './form.state';
import { readerOf } from './i18n/reader';
import type { WebKit } from './kit';
import type { Params } from './page.types';
import { pageHeaders } from './policy';
import { secretOf } from './session.guard';
import { csrfToken } from './sessions/csrf';
import { formSecret } from './sessions/web.sessions';
import { refusedPage, type AnyPage } from './shown.page';
import { NarrowDocument } from './ui/narrow.page';

/** It is not there, or not to this member in this store. */
const SHUT: ReadonlySet<AnyFailure['kind']> = new Set(['notFound', 'forbidden', 'paymentRequired']);

/** A form is read also for a member whom its guard has refused. */
const sentIn = async ({ request, caller, given, read }: RefusedRequest): Promise<unknown> => {
  if (request.method === 'GET') return {};
  return (caller === undefined ? await read().catch(() => undefined) : given)?.fields ?? {};
};

/** Undefined: the page knows no more than that it is shut. */
const insteadPage = async (
  kit: WebKit,
  { get, instead }: AnyPage,
  failure: AnyFailure,
  asked: RefusedRequest,
): Promise<Reply<Page> | undefined> => {
  const { request, status } = asked;
  const isPart = request.headers['hx-request'] !== undefined;
  // Of what another site sends nothing is shown
  if (!instead || isPart || !SHUT.has(failure.kind) || failure.code === 'foreign_origin') return undefined;
  const session = await kit.sessions.open(secretOf(request)).catch(() => undefined);
  if (!session) return undefined;
  const t = readerOf(session.locale, session.timezone, kit.clock.now());
  const fields = await sentIn(asked);
  const params = (request.params ?? {}) as Params;
  const why = { ...saidOf(failure, t), isMissing: failure.kind === 'notFound' };
  const said = instead({ session, params, why, typed: typedIn(fields), csrf: csrfToken(formSecret(session)), t });
  if (!said) return undefined;
  const { title, body, draftFor: storeId } = said;
  const owner = storeId === undefined ? undefined : { user_id: session.user_id, store_id: storeId };
  const cookie = owner && (await kit.drafts.keep(owner, placed(get, params), draftOf(fields, [])));
  const html = (
    <NarrowDocument t={t} files={kit.assets.files} title={title}>
      {body}
    </NarrowDocument>
  );
  const headers = { ...pageHeaders('member'), ...(cookie !== undefined && { 'Set-Cookie': [cookie] }) };
  return new Reply(rendered(html), { status, headers });
};

/** What takes the place of a page that cannot be shown: what it says of that itself, or the failure in words. */
export const refusedAt =
  (kit: WebKit, page: AnyPage, form?: OfForm): ShowRefusal =>
  async (failure, asked) =>
    (await insteadPage(kit, page, failure, asked)) ?? refusedPage(kit, form)(failure, asked);
