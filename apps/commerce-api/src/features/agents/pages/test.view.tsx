import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState, Shown } from '../../../web/page.types';
import { TextArea } from '../../../web/ui/field';
import { Form, SaveBar } from '../../../web/ui/form';
import { Away, Section } from '../../../web/ui/parts';
import type { Agent } from '../agents/public';
import type { TrialView } from '../testing/public';
import { agentTexts } from './agents.texts';
import type { TestData, TestQuery } from './agents.types';

const Said = ({ trial, t }: { readonly trial: TrialView; readonly t: Reader }): JSX.Element => {
  const say = agentTexts(t);
  return (
    <ol class="said">
      {trial.transcript.map(({ role, content }) => (
        <li class={role === 'user' ? 'said-in' : 'said-out'}>
          <small>{role === 'user' ? say.asks : say.answers}</small>
          <p class="long" dir="auto">
            {content}
          </p>
        </li>
      ))}
    </ol>
  );
};

interface AskParts {
  readonly form: FormState;
  readonly t: Reader;
  readonly agent: Agent;
  readonly trial: TrialView | undefined;
}

const AskForm = ({ form, t, agent, trial }: AskParts): JSX.Element => {
  const say = agentTexts(t);
  return (
    <Form form={form} action={`/agents/${agent.id}/test`}>
      {trial ? <input type="hidden" name="session_id" value={trial.id} /> : null}
      <fieldset>
        <legend>{say.test}</legend>
        <TextArea {...{ form, name: 'question', label: say.question, rows: 3, required: true }} />
        <TextArea
          {...{ form, name: 'prompt', label: say.prompt, rows: 6, required: true }}
          value={trial?.prompt ?? agent.prompt}
        />
      </fieldset>
      <SaveBar text={say.ask} />
    </Form>
  );
};

/** A trial goes on under its own address; nothing of it reaches a customer. */
export const TestView = ({ data, form, t }: Shown<TestData, TestQuery>): JSX.Element => {
  const { id, agent, trial, trials } = data;
  const say = agentTexts(t);
  const path = `/agents/${id}/test`;
  if (!agent) return <Away />;
  return (
    <div class="rows">
      <p class="hint">{say.tryNote}</p>
      {trial ? <Said trial={trial} t={t} /> : null}
      <AskForm {...{ form, t, agent, trial }} />
      {trial ? (
        <a class="link" href={path}>
          {say.again}
        </a>
      ) : null}
      {trials.length === 0 ? null : (
        <Section title={say.sessions}>
          <ul class="timeline">
            {trials.map(({ id: session, title, updated_at: at }) => (
              <li>
                <a class="link" href={`${path}?session=${session}`} dir="auto">
                  {title}
                </a>
                <time dateTime={at}>{t.brief(at)}</time>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
};
