import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { FileField, Select } from '../../../web/ui/field';
import { Adder, Form, isBack } from '../../../web/ui/form';
import { Icon } from '../../../web/ui/icon';
import { List } from '../../../web/ui/list';
import { Alert, Chip, Empty, Moment } from '../../../web/ui/parts';
import { Thumb } from '../../../web/ui/picture';
import type { Column } from '../../../web/ui/table';
import { UploadProgress } from '../../../web/ui/upload';
import { FILE_LIMIT, purposes, type Media, type MediaQuery, type Purpose } from '../uploads/public';
import { shelfTexts } from './shelf.texts';

/** A file, with its address on our own pages where it has one. */
export interface OnShelf extends Media {
  readonly path: string | null;
}
type All = Shown<ListedPage<OnShelf>, MediaQuery>;

/** What people put there themselves; the others come with what needs them. */
const UPLOADED: readonly Purpose[] = ['product', 'logo', 'message', 'digital'];

const Sign = ({ url, mime }: OnShelf): JSX.Element =>
  url !== null && mime.startsWith('image/') ? (
    <Thumb url={url} />
  ) : (
    <span class="thumb" aria-hidden="true">
      <Icon name="file-text" />
    </span>
  );

const RemoveForm = ({ row, form, t }: Pick<All, 'form' | 't'> & { readonly row: OnShelf }): JSX.Element => {
  const say = shelfTexts(t);
  const name = `remove.${row.id}`;
  return (
    <Form form={{ ...form, action: undefined }} action="/media" name={name}>
      <input type="hidden" name="id" value={row.id} />
      <button class="button button-danger" aria-label={say.removeNamed({ name: row.name })}>
        {say.remove}
      </button>
    </Form>
  );
};

const columnsFor = ({ form, t }: All): readonly Column<OnShelf>[] => {
  const say = shelfTexts(t);
  return [
    {
      ...{ title: say.name, main: true },
      cell: (row) => (
        <span class="with-thumb">
          <Sign {...row} />
          {row.path === null ? (
            <bdi>{row.name}</bdi>
          ) : (
            <a href={row.path}>
              <bdi>{row.name}</bdi>
            </a>
          )}
        </span>
      ),
    },
    { title: say.purpose, plain: true, cell: ({ purpose }) => say.purposes[purpose] },
    { title: say.size, plain: true, cell: ({ bytes }) => t.bytes(bytes) },
    { title: say.at, plain: true, cell: ({ created_at: at }) => <Moment at={at} brief /> },
    {
      ...{ title: say.used, plain: true },
      cell: ({ refs }) => (refs > 0 ? say.uses({ count: t.count(refs) }) : <Chip tone="plain">{say.unused}</Chip>),
    },
    {
      ...{ title: say.remove, plain: true },
      cell: (row) => (row.refs === 0 ? <RemoveForm {...{ row, form, t }} /> : null),
    },
  ];
};

export const ShelfList = (shown: All): JSX.Element => {
  const { data, query, t } = shown;
  const say = shelfTexts(t);
  const views = purposes.map((purpose) => ({ text: say.purposes[purpose], set: { purpose } }));
  return (
    <List
      {...{ path: '/media', query, usualSort: '-created_at', caption: t.nav.places.media, listed: data }}
      columns={columnsFor(shown)}
      views={[{ text: t.list.all, set: {} }, ...views]}
      filteredBy={['mime']}
      empty={<Empty text={say.none} />}
    />
  );
};

const UploadForm = ({ form, query, t }: All): JSX.Element => {
  const say = shelfTexts(t);
  const of = 'upload';
  return (
    <Form form={form} action="/media" name={of} isUpload>
      <fieldset>
        <legend>{say.upload}</legend>
        <Select
          {...{ form, of, name: 'purpose', label: say.purpose, value: query.purpose ?? 'product' }}
          options={UPLOADED.map((purpose) => [purpose, say.purposes[purpose]])}
        />
        <FileField {...{ form, of, label: say.file, hint: say.fileHint, accept: '*/*', required: true }} />
        <UploadProgress most={FILE_LIMIT} />
        <div class="row-actions">
          <button class="button button-main">{say.upload}</button>
        </div>
      </fieldset>
    </Form>
  );
};

/** What stood in the way of a file that was to be deleted. */
const Kept = ({ form }: Pick<All, 'form'>): JSX.Element | null =>
  form.action?.startsWith('remove') ? <Alert text={form.alert ?? Object.values(form.errors)[0]} /> : null;

export const ShelfView = (shown: All): JSX.Element => {
  const { form, t } = shown;
  return (
    <>
      <Adder title={shelfTexts(t).upload} isOpen={isBack(form, 'upload')}>
        <UploadForm {...shown} />
      </Adder>
      <Kept form={form} />
      <div class="shelf">
        <ShelfList {...shown} />
      </div>
    </>
  );
};
