import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { CopyText } from '../../../web/ui/copy';
import { Field } from '../../../web/ui/field';
import { Adder, Form, isBack } from '../../../web/ui/form';
import { Alert, Chip, Empty, Moment, Section, type Tone } from '../../../web/ui/parts';
import { Table, type Column } from '../../../web/ui/table';
import type { Domain, DomainRecord, Subdomain } from './domains.dto';
import { domainTexts } from './domains.texts';

export interface Addresses {
  readonly own: Subdomain;
  readonly domains: readonly Domain[];
}
type All = Shown<Addresses>;

const PATH = '/domains';
const TONES: Readonly<Record<Domain['status'], Tone>> = { pending: 'wait', active: 'good', failed: 'bad' };

const OwnForm = ({ data: { own }, form, t }: All): JSX.Element => {
  const say = domainTexts(t);
  const of = 'rename';
  return (
    <Section title={say.own}>
      {own.host === null ? <p class="hint">{say.noHost}</p> : <CopyText text={`https://${own.host}`} t={t} />}
      <Form form={form} action={PATH} name={of}>
        <Field
          {...{ form, of, name: 'subdomain', label: say.subdomain, hint: say.subdomainHint, required: true }}
          value={own.subdomain}
        />
        <div class="row-actions">
          <button class="button">{say.save}</button>
        </div>
      </Form>
    </Section>
  );
};

const recordColumns = (t: Reader): readonly Column<DomainRecord>[] => {
  const say = domainTexts(t);
  return [
    { title: say.type, main: true, cell: ({ type }) => type },
    { title: say.name, cell: ({ name }) => <CopyText text={name} t={t} /> },
    { title: say.value, cell: ({ value }) => <CopyText text={value} t={t} /> },
    {
      ...{ title: say.found, plain: true },
      cell: ({ found }) => (found ? <Chip tone="good">{say.found}</Chip> : <Chip tone="wait">{say.missing}</Chip>),
    },
  ];
};

/** One domain: how it stands, what is to be set for it, and what can be done. */
const DomainPanel = ({ domain, form, t }: All & { readonly domain: Domain }): JSX.Element => {
  const say = domainTexts(t);
  const { id, host, status, failure, records, checked_at: checked } = domain;
  return (
    <section class="panel domain">
      <h3>
        <bdi>{host}</bdi> <Chip tone={TONES[status]}>{say.states[status]}</Chip>
      </h3>
      {failure === null ? null : <p class="alert bad">{say.failures[failure]}</p>}
      <Table caption={say.records} rows={records} columns={recordColumns(t)} />
      {checked === null ? null : (
        <p class="hint">
          {say.checked}: <Moment at={checked} />
        </p>
      )}
      <div class="row-actions">
        <Form form={form} action={PATH} name={`check.${id}`}>
          <input type="hidden" name="id" value={id} />
          <button class="button">{say.check}</button>
        </Form>
        <Form form={form} action={PATH} name={`remove.${id}`}>
          <input type="hidden" name="id" value={id} />
          <button class="button button-danger" aria-label={say.removeNamed({ name: host })}>
            {say.remove}
          </button>
        </Form>
      </div>
    </section>
  );
};

export const DomainsView = (shown: All): JSX.Element => {
  const { data, form, t } = shown;
  const say = domainTexts(t);
  const of = 'add';
  return (
    <>
      <OwnForm {...shown} />
      <Section title={say.custom}>
        <Adder title={say.add} isOpen={isBack(form, of)}>
          <Form form={form} action={PATH} name={of}>
            <Field
              {...{ form, of, name: 'host', label: say.host, hint: say.hostHint, maxLength: 253, required: true }}
              inputMode="url"
            />
            <div class="row-actions">
              <button class="button button-main">{say.add}</button>
            </div>
          </Form>
        </Adder>
        {form.action?.includes('.') ? <Alert text={form.alert} /> : null}
        {data.domains.length === 0 ? <Empty text={say.none} /> : null}
        {data.domains.map((domain) => (
          <DomainPanel {...shown} domain={domain} />
        ))}
      </Section>
    </>
  );
};
