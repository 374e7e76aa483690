import type { Feed, ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { StaffMessage } from '../../../live/public';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { CheckList } from '../../../web/ui/check-list';
import { Field, TextArea } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Pager } from '../../../web/ui/pager';
import { Empty, Section } from '../../../web/ui/parts';
import type { MemberName } from '../../team/members/public';
import type { Room } from './rooms.dto';
import { roomTexts } from './rooms.texts';
import type { RoomPageQuery } from './rooms.types';

const PATH = '/team-chat';

/** The room that is open, with its messages, the newest first. */
export interface OpenRoom {
  readonly room: Room;
  readonly messages: Feed<StaffMessage>;
}
export interface RoomsData {
  readonly listed: ListedPage<Room>;
  readonly members: readonly MemberName[];
  readonly open: OpenRoom | undefined;
}

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}

const NewForm = ({ form, t, members }: Parts & { readonly members: readonly MemberName[] }): JSX.Element => {
  const say = roomTexts(t);
  const of = 'open';
  return (
    <Form form={form} action={PATH} name={of}>
      <fieldset>
        <legend>{say.create}</legend>
        <Field {...{ form, of, name: 'name', label: say.name, maxLength: 60, required: true }} />
        <CheckList
          {...{ form, of, name: 'user_ids', label: say.members, hint: say.membersHint }}
          options={members.map(({ id, name }) => [id, name])}
        />
      </fieldset>
      <SaveBar text={say.open} />
    </Form>
  );
};

/** The last of what was said: what the open page is told. */
export const Messages = ({
  open: { messages },
  own,
  t,
}: {
  readonly open: Pick<OpenRoom, 'messages'>;
  readonly own: string;
  readonly t: Reader;
}): JSX.Element => {
  const say = roomTexts(t);
  return (
    <ol id="messages" class="said">
      {messages.rows.length === 0 ? <li>{say.quiet}</li> : null}
      {[...messages.rows].reverse().map(({ user_id, name, text, created_at: at }) => (
        <li class={user_id === own ? 'said-out' : undefined}>
          <small dir="auto">
            {name ?? say.somebody} · {t.brief(at)}
          </small>
          <p class="long" dir="auto">
            {text}
          </p>
        </li>
      ))}
    </ol>
  );
};

type All = Shown<RoomsData, RoomPageQuery>;

const Talk = ({ open, query, form, t, viewer }: Omit<All, 'data'> & { readonly open: OpenRoom }): JSX.Element => {
  const say = roomTexts(t);
  const { room, messages } = open;
  const here = `${PATH}?room=${room.id}`;
  const of = 'say';
  const names = room.members.map(({ name }) => name ?? say.somebody).join(', ');
  return (
    <section class="section" {...(query.cursor === undefined && { 'data-follow': 'messages', 'data-follow-at': here })}>
      <h2 dir="auto">{room.name}</h2>
      <p class="hint" dir="auto">
        {say.inRoom({ names })}
      </p>
      {messages.nextCursor === null ? null : (
        <a class="link" href={`${here}&cursor=${encodeURIComponent(messages.nextCursor)}`}>
          {say.older}
        </a>
      )}
      <div aria-live="polite">
        <Messages open={open} own={viewer.caller.actor} t={t} />
      </div>
      {query.cursor === undefined ? null : (
        <a class="link" href={here}>
          {say.newest}
        </a>
      )}
      <Form form={form} action={PATH} name={of}>
        <input type="hidden" name="room" value={room.id} />
        <TextArea {...{ form, of, name: 'text', label: say.text, rows: 3, required: true }} />
        <div class="row-actions">
          <button class="button button-main">{say.send}</button>
        </div>
      </Form>
    </section>
  );
};

const Rooms = ({ data: { listed, open }, query, t }: Pick<All, 'data' | 'query' | 't'>): JSX.Element => (
  <Section title={roomTexts(t).rooms}>
    <nav class="views" aria-label={roomTexts(t).rooms}>
      {listed.rows.map(({ id, name }) => (
        <a href={`${PATH}?room=${id}`} aria-current={id === open?.room.id ? 'true' : undefined} dir="auto">
          {name}
        </a>
      ))}
    </nav>
    {listed.total > listed.perPage ? (
      <Pager list={{ path: PATH, query: { page: query.page }, usualSort: 'name' }} listed={listed} />
    ) : null}
  </Section>
);

export const RoomsView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = roomTexts(t);
  return (
    <div class="rows">
      {data.listed.total === 0 ? <Empty text={say.none} /> : <Rooms {...shown} />}
      {data.open ? <Talk {...shown} open={data.open} /> : null}
      <Adder title={say.create} isOpen={isBack(form, 'open')}>
        <NewForm {...{ form, t, members: data.members }} />
      </Adder>
    </div>
  );
};
