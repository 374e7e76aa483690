import type { JSX } from 'preact';
import { sentence } from '../web/form.fields';
import type { Reader } from '../web/i18n/reader';
import type { Shown } from '../web/page.types';
import { FileField, Select } from '../web/ui/field';
import { Form, SaveBar } from '../web/ui/form';
import { hx } from '../web/ui/hx';
import { Chip, Section, type Tone } from '../web/ui/parts';
import { Facts, Table, type Column } from '../web/ui/table';
import { importModes, type Job, type RowFault } from './import.dto';
import type { ShownJob } from './import.sql';
import { importTexts } from './import.texts';

export interface ImportData {
  readonly path: string;
  readonly columns: readonly string[];
  readonly job: ShownJob | undefined;
}
type One = Shown<ImportData, object>;

const TONES: Readonly<Record<Job['state'], Tone>> = {
  ...{ queued: 'wait', running: 'info', preview: 'wait', done: 'good', failed: 'bad', cancelled: 'plain' },
};
/** Of the rows with faults that a page shows. */
const SHOWN_ERRORS = 50;

/** The column that a field of a product is told in. */
const columnOf = (field: string): string => field.replace(/^.*\./, '');

/** By its rule, in the language of who reads it. */
export const reasonOf = (t: Reader, { field, tag = 'refused', about }: RowFault): string => {
  const { rowRules } = importTexts(t);
  const rule = field === '' && !Object.hasOwn(rowRules, tag) ? 'refused' : tag;
  return sentence(t, { tag: rule, about }, columnOf(field), rowRules);
};

const errorColumns = (t: Reader): readonly Column<RowFault>[] => {
  const say = importTexts(t);
  return [
    { title: say.row, main: true, cell: ({ row }) => (row === 0 ? '-' : `${say.row} ${t.count(row)}`) },
    { title: say.column, plain: true, cell: ({ field }) => <span class="code">{columnOf(field)}</span> },
    { title: say.reason, cell: (fault) => <bdi>{reasonOf(t, fault)}</bdi> },
  ];
};

const Faults = ({ job, t }: { readonly job: ShownJob; readonly t: Reader }): JSX.Element | null => {
  const { errors, more } = importTexts(t);
  return job.errors.length === 0 ? null : (
    <Section title={`${errors} (${t.count(job.errors.length)})`}>
      <Table caption={errors} rows={job.errors.filter((_, at) => at < SHOWN_ERRORS)} columns={errorColumns(t)} />
      {job.errors.length > SHOWN_ERRORS ? <p class="hint">{more({ count: t.count(SHOWN_ERRORS) })}</p> : null}
    </Section>
  );
};

const Result = ({ job, t }: { readonly job: Job; readonly t: Reader }): JSX.Element | null => {
  const { results } = importTexts(t);
  const counts = job.result as Readonly<Record<keyof typeof results, number>> | null;
  if (!counts) return null;
  const names = Object.keys(results) as (keyof typeof results)[];
  return <Facts facts={names.map((name) => [results[name], t.count(counts[name] ?? 0)])} />;
};

const Ready = ({ form, t, data: { path }, job }: One & { readonly job: Job }): JSX.Element => {
  const say = importTexts(t);
  const count = t.count(job.progress.total);
  if (job.progress.total === 0) return <p>{say.nothing}</p>;
  return (
    <Form form={form} action={path} name="commit">
      <p>{say.preview({ count })}</p>
      <input type="hidden" name="job_id" value={job.id} />
      <button class="button button-main">{say.commit({ count })}</button>
    </Form>
  );
};

/** An import as it is now; while it goes on it asks for itself again. */
export const JobPanel = (shown: One): JSX.Element => {
  const { t, data } = shown;
  const { job, path } = data;
  const say = importTexts(t);
  if (!job) return <div id="job" />;
  const again = `${path}?job=${job.id}`;
  const goesOn = job.state === 'queued' || job.state === 'running';
  const { done, total } = job.progress;
  return (
    <div
      id="job"
      class="panel"
      {...(goesOn && hx({ get: again, target: '#job', swap: 'outerHTML', trigger: 'every 2s' }))}
    >
      <p role="status">
        <Chip tone={TONES[job.state]}>{say.states[job.state]}</Chip>{' '}
        {job.state === 'preview' ? null : say.progress({ done: t.count(done), total: t.count(total) })}
      </p>
      {goesOn ? (
        <>
          <progress class="progress" value={done} max={Math.max(total, 1)} aria-label={say.states.running} />
          <a class="button" href={again}>
            {say.again}
          </a>
        </>
      ) : null}
      {job.state === 'preview' ? <Ready {...shown} job={job} /> : null}
      <Result job={job} t={t} />
      <Faults job={job} t={t} />
    </div>
  );
};

export const importView = (shown: One): JSX.Element => {
  const { form, t, data } = shown;
  const say = importTexts(t);
  return (
    <>
      <JobPanel {...shown} />
      <Form form={form} action={data.path} name="read" isUpload>
        <fieldset>
          <legend>{data.job ? say.another : say.read}</legend>
          <p class="hint">{say.hint}</p>
          <FileField {...{ form, of: 'read', label: say.file, accept: '.csv,text/csv', required: true }} />
          <Select
            {...{ form, of: 'read', name: 'mode', label: say.mode }}
            options={importModes.map((mode) => [mode, say.modes[mode]])}
          />
          <details>
            <summary class="link">{say.columns}</summary>
            <p class="code">{data.columns.join(', ')}</p>
          </details>
        </fieldset>
        <SaveBar text={say.read} />
      </Form>
    </>
  );
};
