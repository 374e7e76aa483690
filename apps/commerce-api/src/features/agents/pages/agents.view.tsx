import type { AgentRow } from '@platform/contracts';
import type { Paged } from '@platform/http';
import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Adder, isBack } from '../../../web/ui/form';
import { List } from '../../../web/ui/list';
import { Away, Chip, Empty, Section } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { Facts, type Column } from '../../../web/ui/table';
import type { AgentsQuery, AgentUsage } from '../agents/public';
import { ChangeForm, NewForm, RemoveForm, SwitchForm } from './agents.forms';
import { agentTexts } from './agents.texts';
import type { AgentData } from './agents.types';
import { KnowledgePart } from './knowledge.view';

const State = ({ enabled, t }: { readonly enabled: boolean; readonly t: Reader }): JSX.Element => (
  <Chip tone={enabled ? 'good' : 'plain'}>{enabled ? agentTexts(t).on : agentTexts(t).off}</Chip>
);

const columnsFor = (t: Reader): readonly Column<AgentRow>[] => {
  const say = agentTexts(t);
  return [
    { title: say.name, main: true, cell: ({ id, name }) => <a href={`/agents/${id}`}>{name}</a> },
    { title: say.status, plain: true, cell: ({ enabled }) => <State enabled={enabled} t={t} /> },
    {
      title: say.test,
      plain: true,
      cell: ({ id }) => (
        <a class="link" href={`/agents/${id}/test`}>
          {say.testLink}
        </a>
      ),
    },
  ];
};

/** Undefined while bot-engine is away. */
type All = Shown<Paged<AgentRow> | undefined, AgentsQuery>;

export const AgentList = ({ data, query, t }: All): JSX.Element =>
  data === undefined ? (
    <div id="list">
      <Away />
    </div>
  ) : (
    <List
      {...{ path: '/agents', query, usualSort: '', caption: t.nav.places.agents, columns: columnsFor(t) }}
      listed={{ ...data, rows: [...data.rows] }}
      empty={<Empty text={agentTexts(t).none} />}
    />
  );

export const AgentsView = (shown: All): JSX.Element => {
  const { form, data, t } = shown;
  return (
    <>
      <Adder title={agentTexts(t).create} isOpen={isBack(form) || data?.total === 0}>
        <NewForm form={form} t={t} />
      </Adder>
      <AgentList {...shown} />
    </>
  );
};

const Usage = ({ usage, t }: { readonly usage: AgentUsage; readonly t: Reader }): JSX.Element => {
  const say = agentTexts(t);
  return (
    <Section title={say.usage}>
      <div class="panel">
        <Facts
          facts={[
            [say.replies, t.count(usage.replies)],
            [say.cost, t.count(Math.round(usage.cost_micros / 10_000) / 100)],
          ]}
        />
      </div>
    </Section>
  );
};

/** One that is switched on and chosen for no number answers nobody. */
const Numbers = ({ numbers, t }: Pick<AgentData, 'numbers'> & { readonly t: Reader }): JSX.Element => {
  const say = agentTexts(t);
  if (numbers.length > 0) return <p>{say.answersOn({ names: numbers.map(({ name }) => name).join(', ') })}</p>;
  return (
    <p class="alert info">
      <span>
        {say.answersNobody}{' '}
        <Way class="link" to="/devices">
          {t.nav.places.devices}
        </Way>
      </span>
    </p>
  );
};

export const AgentView = ({ data: { id, agent, usage, numbers }, form, t }: Shown<AgentData>): JSX.Element => {
  const say = agentTexts(t);
  if (!agent) return <Away />;
  return (
    <div class="rows">
      <p>
        <State enabled={agent.enabled} t={t} />
      </p>
      <Numbers numbers={numbers} t={t} />
      <div class="row-actions">
        <a class="button button-main" href={`/agents/${id}/test`}>
          {say.test}
        </a>
        <SwitchForm {...{ form, t, agent }} />
      </div>
      <ChangeForm {...{ form, t, agent }} />
      <KnowledgePart {...{ form, t, agent }} />
      {usage ? <Usage usage={usage} t={t} /> : null}
      <RemoveForm {...{ form, t, agent }} />
    </div>
  );
};
