import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { addressOf } from '../../../web/ui/address';
import { Form } from '../../../web/ui/form';
import { hx } from '../../../web/ui/hx';
import { Chip, Notice, Section, type Tone } from '../../../web/ui/parts';
import { SpanForm } from '../../../web/ui/span';
import type { AgentFigures, PaymentsRow, ProductFigures, SalesRow, Span } from '../figures/public';
import { reports, type Asked } from '../files/public';
import { Agents, Payments, Products, Sales } from './figures.view';
import { reportTexts } from './reports.texts';

/** A file that was asked for, with the address of what is there already. */
export interface FileAsked extends Asked {
  readonly url: string | null;
}

/** What a report says; undefined: it cannot be read now. */
export type Figures =
  | { readonly report: 'sales'; readonly rows: readonly SalesRow[]; readonly group: 'day' | 'channel' }
  | { readonly report: 'products'; readonly rows: readonly ProductFigures[]; readonly costs: boolean }
  | { readonly report: 'payments'; readonly rows: readonly PaymentsRow[] }
  | { readonly report: 'agents'; readonly rows: readonly AgentFigures[] | undefined };

export interface Read {
  readonly span: Span;
  readonly figures: Figures;
  readonly files: readonly FileAsked[];
}
type All = Shown<Read, object>;

const PATH = '/reports';

const FiguresOf = ({ figures, t }: { readonly figures: Figures; readonly t: Reader }): JSX.Element => {
  switch (figures.report) {
    case 'sales':
      return <Sales {...figures} t={t} />;
    case 'products':
      return <Products {...figures} t={t} />;
    case 'payments':
      return <Payments {...figures} t={t} />;
    case 'agents':
      return figures.rows ? <Agents rows={figures.rows} t={t} /> : <Notice text={reportTexts(t).away} />;
  }
};

const TONES: Readonly<Record<Asked['job']['state'], Tone>> = {
  ...{ queued: 'wait', running: 'info', preview: 'wait', done: 'good', failed: 'bad', cancelled: 'plain' },
};

const File = ({ file, t }: { readonly file: FileAsked; readonly t: Reader }): JSX.Element => {
  const say = reportTexts(t);
  const { job, wanted, url } = file;
  return (
    <li>
      <span>
        <b>{say.reports[wanted.report]}</b>{' '}
        <small>{say.dates({ from: t.day(wanted.from), to: t.day(wanted.to) })}</small>
      </span>
      <Chip tone={TONES[job.state]}>{say.states[job.state]}</Chip>
      {url === null ? null : (
        <a class="button" href={url}>
          {say.download}
        </a>
      )}
      {job.state === 'done' && url === null ? <small>{say.over}</small> : null}
    </li>
  );
};

/** What was asked for; while something is being written it asks for itself again. */
export const Files = ({ data: { files }, t }: All): JSX.Element => {
  const say = reportTexts(t);
  const goesOn = files.some(({ job: { state } }) => state === 'queued' || state === 'running');
  return (
    <div id="files" {...(goesOn && hx({ get: PATH, target: '#files', swap: 'outerHTML', trigger: 'every 3s' }))}>
      {files.length === 0 ? null : (
        <Section title={say.files}>
          <ul class="panel lines">
            {files.map((file) => (
              <File {...{ file, t }} />
            ))}
          </ul>
          <p class="hint">{say.fileHint}</p>
        </Section>
      )}
    </div>
  );
};

const ExportForm = ({ data: { figures, span }, form, t }: All): JSX.Element => (
  <Form form={form} action={`${PATH}/export`}>
    {Object.entries({ ...span, report: figures.report, format: 'csv' }).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    {figures.report === 'sales' ? <input type="hidden" name="group" value={figures.group} /> : null}
    <div class="row-actions">
      <button class="button">{reportTexts(t).make}</button>
    </div>
  </Form>
);

export const ReportsView = (shown: All): JSX.Element => {
  const { data, t } = shown;
  const { span, figures } = data;
  const say = reportTexts(t);
  const kept = { report: figures.report, ...(figures.report === 'sales' && { group: figures.group }) };
  const here = { path: PATH, query: { ...span, report: figures.report } };
  return (
    <>
      <nav class="views" aria-label={t.list.views}>
        {reports.map((report) => (
          <a href={addressOf(here, { report })} aria-current={report === figures.report ? 'true' : undefined}>
            {say.reports[report]}
          </a>
        ))}
      </nav>
      <SpanForm path={PATH} days={span} kept={kept} />
      {figures.report === 'sales' ? (
        <nav class="views" aria-label={say.reports.sales}>
          {(['day', 'channel'] as const).map((group) => (
            <a href={addressOf(here, { group })} aria-current={group === figures.group ? 'true' : undefined}>
              {say.groups[group]}
            </a>
          ))}
        </nav>
      ) : null}
      <FiguresOf figures={figures} t={t} />
      <ExportForm {...shown} />
      <Files {...shown} />
    </>
  );
};
