import type { ListedPage } from '@platform/data';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { CopyText } from '../../../web/ui/copy';
import { BarChart } from '../../../web/ui/chart';
import { Adder, isBack } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Chip, Empty, Section } from '../../../web/ui/parts';
import type { Column } from '../../../web/ui/table';
import { Bio } from './bio.view';
import type { BiolinksQuery } from './biolinks.dto';
import { DeleteForm, NewForm, PictureForm, ProfileForm, PublishForm } from './biolinks.forms';
import type { StoredRow } from './biolinks.sql';
import type { One } from './builder.types';
import { biolinkTexts } from './biolinks.texts';
import { Blocks } from './blocks.view';

type All = Shown<ListedPage<StoredRow>, BiolinksQuery>;

const PATH = '/biolinks';

const State = ({ page, t }: { readonly page: StoredRow; readonly t: Reader }): JSX.Element => {
  const say = biolinkTexts(t);
  return page.published ? <Chip tone="good">{say.published}</Chip> : <Chip tone="wait">{say.hidden}</Chip>;
};

const columnsFor = (t: Reader): readonly Column<StoredRow>[] => {
  const say = biolinkTexts(t);
  return [
    { title: say.title, main: true, sort: 'title', cell: ({ id, title }) => <a href={`${PATH}/${id}`}>{title}</a> },
    { title: say.state, plain: true, cell: (page) => <State page={page} t={t} /> },
    { title: say.slug, plain: true, cell: ({ slug }) => <span class="code">/b/{slug}</span> },
  ];
};

export const BiolinkList = ({ data, query, t }: All): JSX.Element => {
  const say = biolinkTexts(t);
  return (
    <List
      {...{ path: PATH, query, usualSort: '-created_at', caption: t.nav.places.biolinks, listed: data }}
      columns={columnsFor(t)}
      search={say.search}
      empty={<Empty text={say.none} />}
    />
  );
};

export const BiolinksView = (shown: All): JSX.Element => {
  const { form, t } = shown;
  return (
    <>
      <Adder title={biolinkTexts(t).create} isOpen={isBack(form)}>
        <NewForm form={form} t={t} />
      </Adder>
      <BiolinkList {...shown} />
    </>
  );
};

const Results = ({ data: { statistics }, t }: One): JSX.Element => {
  const say = biolinkTexts(t);
  const { views, clicks, days } = statistics;
  const points = days.map(({ day, views: value }) => ({ label: t.day(day), short: t.day(day), value }));
  return (
    <Section title={say.results}>
      <div class="stats">
        <div class="stat">
          <span>{say.views}</span>
          <strong>{t.count(views)}</strong>
        </div>
        <div class="stat">
          <span>{say.clicked}</span>
          <strong>{t.count(clicks)}</strong>
        </div>
      </div>
      <div class="panel">
        <BarChart title={say.perDay} points={points} format={t.count} />
      </div>
    </Section>
  );
};

/** A page in the making, and beside it how everybody will see it. */
export const BuilderView = (shown: One): JSX.Element => {
  const { data, form, t } = shown;
  const { page, names, url } = data;
  const say = biolinkTexts(t);
  return (
    <div class="builder">
      <div class="rows">
        <p class="row-actions">
          <State page={page} t={t} /> <CopyText text={url} t={t} />
        </p>
        <PublishForm {...{ form, t, page }} />
        <Blocks {...shown} />
        <details class="panel" open={isBack(form, 'save') || isBack(form, 'picture')}>
          <summary class="link">{say.profile}</summary>
          <ProfileForm {...{ form, t, page }} />
          <PictureForm {...{ form, t, page }} />
        </details>
        <Results {...shown} />
        <DeleteForm {...{ form, t, page }} />
      </div>
      <section class="bio-preview" aria-label={say.preview}>
        <h2>{say.preview}</h2>
        <div class="bio-frame" inert>
          <Bio {...{ page, names, t }} blocks={page.blocks} isPreview />
        </div>
      </section>
    </div>
  );
};
