import type { JSX } from 'preact';
import type { Caller } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { addressOf } from '../../../web/ui/address';
import { Icon } from '../../../web/ui/icon';
import { Alert } from '../../../web/ui/parts';
import { FILE_LIMIT } from '../../media/uploads/public';
import type { QuickReply } from '../../automation/replies/public';
import { inboxTexts } from './inbox.texts';
import { LONGEST_REPLY, type InboxRow } from './inbox.types';
import { isOthers } from './thread.view';

interface ComposerParts {
  readonly id: string;
  readonly form: FormState;
  /** Undefined while it is not known. */
  readonly chat: InboxRow | undefined;
  readonly caller: Pick<Caller, 'actor' | 'abilities'>;
  readonly insert: string | undefined;
  readonly t: Reader;
}

const typedOf = ({ fields }: FormState, name: string): string | undefined => {
  const typed = fields[name];
  return typeof typed === 'string' ? typed : undefined;
};

/** The same message until it was sent; what is written after that is another one. */
const idOf = (form: FormState): string =>
  form.errors.message_id === undefined ? (typedOf(form, 'message_id') ?? form.key) : form.key;

/** By what the form is known to be ours; and whoever writes into a chat of somebody else says that they mean to. It is sent again when that changes. */
export const Anyway = ({ chat, caller, form, t }: Omit<ComposerParts, 'id' | 'insert'>): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <div id="anyway" data-me={caller.actor}>
      <input type="hidden" name="_csrf" value={form.csrf} />
      {chat && isOthers(chat, caller.actor) ? (
        <label class="composer-anyway">
          <input type="checkbox" name="anyway" value="true" required />
          {say.anyway({ name: chat.assigneeName ?? say.someone })}
        </label>
      ) : null}
    </div>
  );
};

/** What a phone shoots, and what lies on a disk. */
const KINDS = 'image/*,audio/*,video/*,application/pdf,application/zip';

const Attach = ({ t }: Pick<ComposerParts, 't'>): JSX.Element => (
  <label class="icon-button composer-file">
    <Icon name="paperclip" label={inboxTexts(t).attach} />
    <input type="file" name="file" accept={KINDS} />
  </label>
);

/** Only a browser that records shows it; what was recorded is a file like any other. */
const Voice = ({ t }: Pick<ComposerParts, 't'>): JSX.Element => {
  const { voice: say } = inboxTexts(t);
  return (
    <button
      type="button"
      class="icon-button composer-voice"
      aria-pressed="false"
      data-voice
      data-recording={say.recording}
      data-refused={say.refused}
      hidden
    >
      <Icon name="microphone" label={say.record} />
    </button>
  );
};

/** What is attached, until it is sent or taken off again. */
const Chosen = ({ t }: Pick<ComposerParts, 't'>): JSX.Element => (
  <p
    id="chosen"
    class="hint composer-chosen"
    data-most={FILE_LIMIT}
    data-large={t.upload.tooLarge}
    data-lost={t.upload.lost}
    data-behind={inboxTexts(t).behind}
    hidden
  >
    <img alt="" hidden />
    <span role="status" />
    <b />
    <progress max={100} value={0} aria-label={t.upload.sending} hidden />
    <button type="button" class="icon-button" data-unchoose>
      <Icon name="x" label={inboxTexts(t).detach} />
    </button>
  </p>
);

/** The way to the quick replies, which needs no script. */
const ToReplies = ({ id, t }: Pick<ComposerParts, 'id' | 't'>): JSX.Element => (
  <a class="icon-button" href={addressOf({ path: `/chats/${id}`, query: {} }, { replies: 'true' })} data-replies>
    <Icon name="bolt" label={inboxTexts(t).replies} />
  </a>
);

/** Where one writes. Without script it is an ordinary form. */
export const Composer = ({ id, form, chat, caller, insert, t }: ComposerParts): JSX.Element => {
  const say = inboxTexts(t);
  const said = [...Object.values(form.errors), ...(form.alert === undefined ? [] : [form.alert])];
  return (
    <form class="composer" method="post" action={`/chats/${id}/messages`} enctype="multipart/form-data" id="composer">
      {said.map((text) => (
        <Alert text={text} />
      ))}
      <input type="hidden" name="message_id" value={idOf(form)} />
      <Anyway {...{ chat, caller, form, t }} />
      <Chosen t={t} />
      <div class="composer-line">
        <ToReplies {...{ id, t }} />
        {caller.abilities.has('upload.write') ? [<Attach t={t} />, <Voice t={t} />] : null}
        <textarea
          name="text"
          rows={1}
          dir="auto"
          data-most={LONGEST_REPLY}
          data-long={say.tooLong}
          aria-label={say.composer}
          placeholder={say.composer}
          enterkeyhint="send"
        >
          {typedOf(form, 'text') ?? insert}
        </textarea>
        <button class="icon-button composer-send">
          <Icon name="send" label={say.send} />
        </button>
      </div>
    </form>
  );
};

interface RepliesParts {
  readonly id: string;
  readonly replies: readonly Pick<QuickReply, 'id' | 'shortcut' | 'body'>[];
  readonly t: Reader;
}

/** The quick replies over the composer: each leads back with its text in it. */
export const Replies = ({ id, replies, t }: RepliesParts): JSX.Element => {
  const say = inboxTexts(t);
  return (
    <section id="replies" class="replies" aria-label={say.replies}>
      {replies.length === 0 ? <p>{say.noReplies}</p> : null}
      <ul>
        {replies.map((reply) => (
          <li>
            <a href={addressOf({ path: `/chats/${id}`, query: {} }, { insert: reply.id })} data-body={reply.body}>
              <b>/{reply.shortcut}</b> <span dir="auto">{reply.body}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
