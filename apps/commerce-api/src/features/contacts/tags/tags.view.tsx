import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { Field } from '../../../web/ui/field';
import { Adder, Form, isBack } from '../../../web/ui/form';
import { Empty } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Pager } from '../../../web/ui/pager';
import type { Tag, TagsQuery } from './tags.dto';
import { tagTexts } from './tags.texts';

type All = Shown<ListedPage<Tag>, TagsQuery>;
type One = Pick<All, 'form' | 't'> & { readonly tag: Tag };

const RenameForm = ({ form, t, tag }: One): JSX.Element => {
  const say = tagTexts(t);
  const of = `save.${tag.id}`;
  return (
    <Form form={form} action="/tags" name={of}>
      <input type="hidden" name="id" value={tag.id} />
      <Field {...{ form, of, name: 'name', label: say.name, maxLength: 40, required: true, value: tag.name }} />
      <div class="row-actions">
        <button class="button">{say.save}</button>
        <Way to={`/contacts?tag_ids=${tag.id}`} class="link">
          {say.see}
        </Way>
      </div>
    </Form>
  );
};

const RemoveForm = ({ form, t, tag }: One): JSX.Element => {
  const say = tagTexts(t);
  return (
    <Form form={form} action="/tags" name={`remove.${tag.id}`}>
      <input type="hidden" name="id" value={tag.id} />
      <p class="hint">{say.removeHint({ count: t.count(tag.contacts) })}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.remove}</button>
      </div>
    </Form>
  );
};

const TagRow = ({ mayWrite, ...one }: One & { readonly mayWrite: boolean }): JSX.Element => {
  const { form, t, tag } = one;
  const line = (
    <>
      <b>{tag.name}</b>
      <small>{tagTexts(t).contacts({ count: t.count(tag.contacts) })}</small>
    </>
  );
  if (!mayWrite) return <div class="panel variant-row">{line}</div>;
  const isOpen = isBack(form, `save.${tag.id}`) || isBack(form, `remove.${tag.id}`);
  return (
    <details class="panel" open={isOpen}>
      <summary class="variant-row">{line}</summary>
      <RenameForm {...one} />
      <RemoveForm {...one} />
    </details>
  );
};

export const TagsView = ({ data, form, t, query, viewer }: All): JSX.Element => {
  const say = tagTexts(t);
  const mayWrite = viewer.caller.abilities.has('contact.write');
  return (
    <>
      {mayWrite ? (
        <Adder title={say.create} isOpen={isBack(form, 'create')}>
          <Form form={form} action="/tags" name="create">
            <Field {...{ form, of: 'create', name: 'name', label: say.name, maxLength: 40, required: true }} />
            <div class="row-actions">
              <button class="button button-main">{say.save}</button>
            </div>
          </Form>
        </Adder>
      ) : null}
      {data.rows.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <ul class="rows">
          {data.rows.map((tag) => (
            <li>
              <TagRow {...{ form, t, tag, mayWrite }} />
            </li>
          ))}
        </ul>
      )}
      {data.total > data.rows.length ? (
        <Pager list={{ path: '/tags', query, usualSort: 'name' }} listed={data} />
      ) : null}
    </>
  );
};
