import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Viewer } from '../../../web/viewer';
import { Empty } from '../../../web/ui/parts';
import { conversationOf } from '../conversations/public';
import { inboxTexts } from './inbox.texts';

/** Another store of the same member, in which the chat is that a push or a link of theirs leads to. */
export interface Elsewhere {
  readonly id: string;
  readonly elsewhere: { readonly id: string; readonly name: string };
}

/** Undefined: the chat is one of the store that they are in, or of none of theirs. */
export const elsewhereOf = ({ caller, session }: Viewer, id = ''): Elsewhere | undefined => {
  const [storeId] = conversationOf(id)?.chatId.split('.') ?? [];
  const elsewhere = session.stores.find((store) => store.id === storeId && storeId !== caller.storeId);
  return elsewhere && { id, elsewhere };
};

interface ElsewhereParts {
  readonly data: Elsewhere;
  readonly csrf: string;
  readonly t: Reader;
}

/** Says in which store it is, and asks: no link switches the store by itself. */
export const ElsewhereView = ({ data: { id, elsewhere }, csrf, t }: ElsewhereParts): JSX.Element => {
  const say = inboxTexts(t).elsewhere;
  return (
    <Empty text={say.text(elsewhere)}>
      <form method="post" action="/switch-store">
        <input type="hidden" name="_csrf" value={csrf} />
        <input type="hidden" name="store_id" value={elsewhere.id} />
        <input type="hidden" name="next" value={`/chats/${id}`} />
        <button class="button button-main">{say.go}</button>
      </form>
    </Empty>
  );
};
