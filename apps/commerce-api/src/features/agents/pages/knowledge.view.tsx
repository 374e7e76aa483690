import type { AgentKnowledge } from '@platform/contracts';
import type { JSX } from 'preact';
import { Field, FileField, Select, TextArea } from '../../../web/ui/field';
import { Adder, Form, isBack, SaveBar } from '../../../web/ui/form';
import { Chip, Empty, Section, type Tone } from '../../../web/ui/parts';
import { UploadProgress } from '../../../web/ui/upload';
import { KNOWLEDGE_LIMIT } from '../knowledge/public';
import type { OfAgent } from './agents.forms';
import { agentTexts } from './agents.texts';

const TONES: Readonly<Record<AgentKnowledge['status'], Tone>> = { processing: 'wait', ready: 'good', failed: 'bad' };

const Doc = ({ form, t, agent, doc }: OfAgent & { readonly doc: AgentKnowledge }): JSX.Element => {
  const say = agentTexts(t);
  const { id, kind, title, status, error } = doc;
  return (
    <li class="panel">
      <p>
        <b dir="auto">{title}</b> <Chip tone={TONES[status]}>{say.docStates[status]}</Chip>
      </p>
      <p class="hint">
        {say.kinds[kind]} · {t.brief(doc.updated_at)}
        {error === null ? '' : ` · ${error}`}
      </p>
      <Form form={form} action={`/agents/${agent.id}`} name={`forget.${id}`}>
        <input type="hidden" name="id" value={id} />
        <div class="row-actions">
          <button class="button button-danger">{say.forget}</button>
        </div>
      </Form>
    </li>
  );
};

const AddForm = ({ form, t, agent }: OfAgent): JSX.Element => {
  const say = agentTexts(t);
  const of = 'learn';
  return (
    <Form form={form} action={`/agents/${agent.id}`} name={of} isUpload>
      <fieldset>
        <legend>{say.addKnowledge}</legend>
        <Field {...{ form, of, name: 'title', label: say.title, maxLength: 120, required: true }} />
        <Select
          {...{ form, of, name: 'kind', label: say.kind }}
          options={[
            ['faq', say.kinds.faq],
            ['policy', say.kinds.policy],
          ]}
        />
        <TextArea {...{ form, of, name: 'text', label: say.text, hint: say.textHint, rows: 6 }} />
        <Field {...{ form, of, name: 'url', label: say.url, hint: say.urlHint, type: 'url', inputMode: 'url' }} />
        <FileField {...{ form, of, label: say.file, hint: say.fileHint, accept: '.pdf,.txt,.md' }} />
        <UploadProgress most={KNOWLEDGE_LIMIT} />
      </fieldset>
      <SaveBar text={say.add} />
    </Form>
  );
};

/** What it knows of the shop, and how it learns more. */
export const KnowledgePart = (parts: OfAgent): JSX.Element => {
  const { form, t, agent } = parts;
  const say = agentTexts(t);
  return (
    <Section title={say.knowledge}>
      {agent.knowledge.length === 0 ? (
        <Empty text={say.noKnowledge} />
      ) : (
        <ul class="rows">
          {agent.knowledge.map((doc) => (
            <Doc {...parts} doc={doc} />
          ))}
        </ul>
      )}
      <Adder title={say.addKnowledge} isOpen={isBack(form, 'learn')}>
        <AddForm {...parts} />
      </Adder>
    </Section>
  );
};
