import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Field, FileField, Select, TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Alert, Chip, Notice, Section, type Tone } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import { isOpen, kycFieldsOf, neededDocuments, type Kyc, type KycKind, type KycState } from '../kyc/public';
import { verificationTexts } from './verification.texts';

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
}
type OfCheck = Parts & { readonly kyc: Kyc };

const TO = '/verification';
const TONES: Readonly<Record<KycState, Tone>> = { draft: 'wait', submitted: 'info', approved: 'good', rejected: 'bad' };

type FieldsParts = Parts & { readonly of: string; readonly kind: KycKind; readonly data?: Kyc['data'] };

const DataFields = ({ form, t, of, kind, data }: FieldsParts): JSX.Element => {
  const { names } = verificationTexts(t);
  return (
    <fieldset class="form-two">
      {kycFieldsOf(kind).map((field) => {
        const all = { form, of, name: `data[${field}]`, label: names[field], value: data?.[field], required: true };
        if (field === 'address') return <TextArea {...all} rows={2} />;
        if (field === 'birth_date') return <Field {...all} type="date" autocomplete="bday" />;
        return <Field {...all} autocomplete="off" inputMode={/_id$/.test(field) ? 'numeric' : undefined} />;
      })}
    </fieldset>
  );
};

/** A check that has not begun. */
export const BeginForm = ({ form, t, kind }: Parts & { readonly kind: KycKind }): JSX.Element => {
  const say = verificationTexts(t);
  const of = `begin.${kind}`;
  return (
    <Form form={form} action={TO} name={of}>
      <input type="hidden" name="kind" value={kind} />
      <DataFields {...{ form, t, of, kind }} />
      <SaveBar text={say.save} />
    </Form>
  );
};

const CorrectForm = ({ form, t, kyc }: OfCheck): JSX.Element => {
  const of = `correct.${kyc.id}`;
  return (
    <Form form={form} action={TO} name={of}>
      <input type="hidden" name="id" value={kyc.id} />
      <DataFields {...{ form, t, of, kind: kyc.kind, data: kyc.data }} />
      <SaveBar text={verificationTexts(t).save} />
    </Form>
  );
};

const UploadForm = ({ form: all, t, kyc }: OfCheck): JSX.Element => {
  const say = verificationTexts(t);
  const of = `document.${kyc.id}`;
  // Of which check a file was that is too large nobody has read
  const form = all.action === 'document' ? { ...all, action: of } : all;
  const needed = neededDocuments(kyc.kind);
  const isThere = (kind: string) => kyc.documents.some((document) => document.kind === kind);
  return (
    <>
      <Facts facts={needed.map((kind) => [say.kindsOfDocument[kind], isThere(kind) ? say.there : say.missing])} />
      <Form form={form} action={TO} name={of} isUpload>
        <input type="hidden" name="id" value={kyc.id} />
        <Select
          {...{ form, of, name: 'kind', label: say.document, value: needed.find((kind) => !isThere(kind)) }}
          options={needed.map((kind) => [kind, say.kindsOfDocument[kind]])}
        />
        <FileField
          {...{ form, of, label: say.file, hint: say.fileHint, required: true }}
          accept="image/jpeg,image/png,application/pdf"
        />
        <div class="row-actions">
          <button class="button button-main">{say.upload}</button>
        </div>
      </Form>
    </>
  );
};

const Standing = ({ kyc: { status, reason }, t }: Pick<OfCheck, 'kyc' | 't'>): JSX.Element | null => {
  const say = verificationTexts(t);
  if (status === 'rejected') return <Alert text={say.reason({ reason: reason ?? '' })} />;
  if (status === 'draft') return <Notice text={say.next} />;
  return <Notice text={status === 'approved' ? say.approved : say.waiting} />;
};

/** A check: what is known of it, and what can be done. */
export const Check = (parts: OfCheck): JSX.Element => {
  const { t, kyc } = parts;
  const say = verificationTexts(t);
  const fields = kycFieldsOf(kyc.kind);
  return (
    <Section title={say.kinds[kyc.kind]}>
      <p>
        <Chip tone={TONES[kyc.status]}>{say.states[kyc.status]}</Chip>
      </p>
      <Standing kyc={kyc} t={t} />
      {isOpen(kyc.status) ? (
        <>
          <UploadForm {...parts} />
          <CorrectForm {...parts} />
        </>
      ) : (
        <Facts facts={fields.map((field) => [say.names[field], kyc.data[field] ?? ''])} />
      )}
    </Section>
  );
};
