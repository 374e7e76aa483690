import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { seenOf } from '../../../web/seen';
import { Check, Field, FileField, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { UploadProgress } from '../../../web/ui/upload';
import { FILE_LIMIT } from '../../media/uploads/public';
import { shapes } from './biolinks.dto';
import { editableOf, type StoredRow } from './biolinks.sql';
import { biolinkTexts } from './biolinks.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}
interface OfPage extends Parts {
  readonly page: StoredRow;
}
type Of = { readonly of?: string };

/** What an input of a colour begins with. */
const USUAL = { background: '#f3f6f4', text: '#14211b', accent: '#0b6b45' } as const;

const Profile = ({ form, t, of, page }: Parts & Of & { readonly page?: StoredRow }): JSX.Element => {
  const say = biolinkTexts(t);
  return (
    <>
      <Field {...{ form, of, name: 'title', label: say.title, maxLength: 80, required: true }} value={page?.title} />
      <Field
        {...{ form, of, name: 'slug', label: say.slug, hint: say.slugHint, required: true }}
        value={page?.slug}
        prefix="/b/"
      />
      <TextArea {...{ form, of, name: 'bio', label: say.bio, rows: 3 }} value={page?.bio} />
    </>
  );
};

export const NewForm = ({ form, t }: Parts): JSX.Element => {
  const say = biolinkTexts(t);
  return (
    <Form form={form} action="/biolinks">
      <fieldset>
        <legend>{say.create}</legend>
        <Profile form={form} t={t} />
      </fieldset>
      <SaveBar text={say.save} />
    </Form>
  );
};

const Theme = ({ form, t, of, page }: OfPage & Of): JSX.Element => {
  const say = biolinkTexts(t);
  const { theme } = page;
  const names = ['background', 'text', 'accent'] as const;
  return (
    <>
      <Check
        {...{ form, of, name: 'own_colours', label: say.ownColours }}
        value={names.some((name) => theme[name] !== undefined)}
      />
      <div class="colours">
        {names.map((name) => (
          <Field
            {...{ form, of, name: `theme[${name}]`, label: say[name], type: 'color' }}
            value={theme[name] ?? USUAL[name]}
          />
        ))}
      </div>
      <Select
        {...{ form, of, name: 'theme[shape]', label: say.shape, value: theme.shape }}
        options={[['', say.shapes.usual] as const, ...shapes.map((shape) => [shape, say.shapes[shape]] as const)]}
      />
    </>
  );
};

export const ProfileForm = ({ form, t, page }: OfPage): JSX.Element => {
  const say = biolinkTexts(t);
  const of = 'save';
  return (
    <Form form={form} action={`/biolinks/${page.id}`} name={of}>
      <input type="hidden" name="seen" value={seenOf(editableOf(page))} />
      <Profile {...{ form, t, of, page }} />
      <Theme {...{ form, t, of, page }} />
      <div class="row-actions">
        <button class="button button-main">{say.save}</button>
      </div>
    </Form>
  );
};

export const PictureForm = ({ form, t, page }: OfPage): JSX.Element => {
  const say = biolinkTexts(t);
  const action = `/biolinks/${page.id}`;
  return (
    <>
      <Form form={form} action={action} name="picture" isUpload>
        <FileField
          {...{ form, of: 'picture', label: say.picture, hint: say.pictureHint }}
          accept="image/jpeg,image/png,image/webp,image/gif"
        />
        <UploadProgress most={FILE_LIMIT} />
        <div class="row-actions">
          <button class="button">{say.save}</button>
        </div>
      </Form>
      {page.avatar_url === null ? null : (
        <Form form={form} action={action} name="no_picture">
          <div class="row-actions">
            <button class="button button-danger">{say.noPicture}</button>
          </div>
        </Form>
      )}
    </>
  );
};

export const PublishForm = ({ form, t, page }: OfPage): JSX.Element => {
  const say = biolinkTexts(t);
  return (
    <Form form={form} action={`/biolinks/${page.id}`} name="publish">
      {page.published ? null : <p class="hint">{say.publishHint}</p>}
      <div class="row-actions">
        {page.published ? (
          <a class="button" href={`/b/${page.slug}`}>
            {say.open}
          </a>
        ) : null}
        <button
          class={page.published ? 'button' : 'button button-main'}
          name="published"
          value={String(!page.published)}
        >
          {page.published ? say.unpublish : say.publish}
        </button>
      </div>
    </Form>
  );
};

export const DeleteForm = ({ form, t, page }: OfPage): JSX.Element => {
  const say = biolinkTexts(t);
  return (
    <Form form={form} action={`/biolinks/${page.id}`} name="delete">
      <p class="hint">{say.removeHint}</p>
      <div class="row-actions">
        <button class="button button-danger">{say.remove}</button>
      </div>
    </Form>
  );
};
