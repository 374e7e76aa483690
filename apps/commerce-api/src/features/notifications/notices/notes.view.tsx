import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Note } from '../../../live/public';
import type { Shown } from '../../../web/page.types';
import { Form } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Moment } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import type { Column } from '../../../web/ui/table';
import type { NotificationsQuery } from './notices.sql';
import { noteTexts } from './notes.texts';

type All = Shown<ListedPage<Note> & { readonly unread: number }, NotificationsQuery>;

const READ = '/notifications/read';

const columnsFor = ({ form, t }: All): readonly Column<Note>[] => {
  const say = noteTexts(t);
  return [
    { title: say.what, main: true, cell: ({ title, url }) => <Way to={url}>{title}</Way> },
    { title: say.text, plain: true, cell: ({ body }) => body },
    {
      ...{ title: say.at, plain: true },
      cell: ({ created_at: at, read_at: read }) => (
        <>
          <Moment at={at} brief /> {read === null ? <Chip tone="info">{say.isNew}</Chip> : null}
        </>
      ),
    },
    {
      ...{ title: say.actions, plain: true },
      cell: ({ id, read_at: at }) =>
        at === null ? (
          <Form form={form} action={READ} name={`one.${id}`}>
            <input type="hidden" name="id" value={id} />
            <button class="button">{say.read}</button>
          </Form>
        ) : null,
    },
  ];
};

export const NoteList = (shown: All): JSX.Element => {
  const { data, query, t } = shown;
  const say = noteTexts(t);
  return (
    <List
      {...{ path: '/notifications', query, usualSort: '-created_at', caption: say.title, listed: data }}
      columns={columnsFor(shown)}
      views={[
        { text: t.list.all, set: {} },
        { text: say.unread, set: { unread: 'true' } },
      ]}
      empty={<Empty text={say.none} />}
    />
  );
};

export const NotesView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = noteTexts(t);
  return (
    <>
      {data.unread === 0 ? null : (
        <Form form={form} action={READ} name="all">
          <div class="row-actions">
            <button class="button">{say.readAll}</button>
          </div>
        </Form>
      )}
      <NoteList {...shown} />
      <a class="link" href="/profile">
        {say.choose}
      </a>
    </>
  );
};
