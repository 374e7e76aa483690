import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Instead, Shut } from '../../../web/page.types';
import type { Typed } from '../../../web/sessions/drafts';
import { Alert } from '../../../web/ui/parts';
import { conversationOf } from '../conversations/public';
import { inboxTexts } from './inbox.texts';

/** Another store of the same member, in which the chat is that a push, a link or a tab of theirs leads to. */
const elsewhereOf = ({ session, params: { id = '' } }: Shut): Shut['session']['stores'][number] | undefined => {
  const [storeId] = conversationOf(id)?.chatId.split('.') ?? [];
  return session.stores.find((store) => store.id === storeId && storeId !== session.store_id);
};

/** What they had written to the customer, or to a colleague. */
const writtenIn = ({ text, reason }: Typed): string | undefined =>
  [text, reason].find((each): each is string => typeof each === 'string' && each !== '');

const Switch = ({ id, storeId, csrf, t }: Pick<Shut, 'csrf' | 't'> & { id: string; storeId: string }): JSX.Element => (
  <form method="post" action="/switch-store">
    <input type="hidden" name="_csrf" value={csrf} />
    <input type="hidden" name="store_id" value={storeId} />
    <input type="hidden" name="next" value={`/chats/${id}`} />
    <button class="button button-main">{inboxTexts(t).elsewhere.go}</button>
  </form>
);

const Written = ({ text, t }: { readonly text: string; readonly t: Reader }): JSX.Element => {
  const say = inboxTexts(t).elsewhere;
  return (
    <>
      <Alert text={say.unsent} />
      <div class="input">
        <textarea rows={5} readOnly aria-label={say.written} dir="auto">
          {text}
        </textarea>
      </div>
    </>
  );
};

/**
 * Where a chat is that is not here to its reader: in another store of theirs, and no link switches the store by itself. What they had
 * written is not lost, also when the chat has gone from them meanwhile.
 */
export const insteadOfChat = (shut: Shut): Instead | undefined => {
  const { params, why, typed, csrf, t } = shut;
  const say = inboxTexts(t).elsewhere;
  const [store, written] = [elsewhereOf(shut), writtenIn(typed)];
  if (!store && written === undefined) return undefined;
  const { title, text } = store ? { title: say.title, text: say.text(store) } : why.isMissing ? say.gone : why;
  const body = (
    <>
      {written === undefined ? null : <Written text={written} t={t} />}
      <p>
        {text} {store && written !== undefined ? say.kept : ''}
      </p>
      {store ? <Switch {...{ id: params.id ?? '', storeId: store.id, csrf, t }} /> : null}
      <a class="button" href={store ? '/dashboard' : '/chats'}>
        {store ? t.failure.home : t.nav.places.chats}
      </a>
    </>
  );
  return { title, body, draftFor: store?.id };
};
