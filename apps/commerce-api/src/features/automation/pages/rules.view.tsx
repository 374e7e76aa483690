import type { JSX } from 'preact';
import type { Shown } from '../../../web/page.types';
import { Adder, isBack } from '../../../web/ui/form';
import { Chip, Empty, Notice, Section } from '../../../web/ui/parts';
import { Pager } from '../../../web/ui/pager';
import type { Rule } from '../rules/public';
import { automationTexts } from './automation.texts';
import type { ChatbotData, ChatbotQuery } from './automation.types';
import { ChangeForm, NewForm, StepForms } from './rules.forms';

type All = Shown<ChatbotData, ChatbotQuery>;

const Row = ({ data, form, t, rule }: All & { readonly rule: Rule }): JSX.Element => {
  const say = automationTexts(t);
  const isOpen = isBack(form, `save.${rule.id}`);
  return (
    <li>
      <details class="panel" open={isOpen}>
        <summary class="variant-row">
          <b dir="auto">{rule.keywords.join(', ')}</b>
          <span class="chips">
            <Chip tone={rule.active ? 'good' : 'plain'}>{rule.active ? say.active : say.off}</Chip>
          </span>
          <small>{say.matches[rule.match]}</small>
        </summary>
        <ChangeForm {...{ form, t, rule, devices: data.devices }} />
        <StepForms {...{ form, t, rule }} />
      </details>
    </li>
  );
};

const Fits = ({ data: { fits }, t }: All): JSX.Element | null => {
  const say = automationTexts(t);
  if (fits === undefined) return null;
  if (fits === null) return <Notice text={say.nothing} />;
  return (
    <div class="panel" role="status">
      <p>
        {say.answers} <b dir="auto">{fits.keywords.join(', ')}</b>
      </p>
      <div class="phone">
        <p dir="auto">{fits.reply.text}</p>
      </div>
    </div>
  );
};

/** A message as a customer would write it, and which rule would answer. */
const TryOut = (shown: All): JSX.Element => {
  const { data, query, t } = shown;
  const say = automationTexts(t);
  return (
    <Section title={say.tryOut}>
      <form class="look-up" action="/chatbot">
        <div class="field">
          <label for="text">{say.tryHint}</label>
          <div class="input">
            <input id="text" name="text" value={query.text} maxLength={1_000} dir="auto" />
          </div>
        </div>
        {data.devices.length < 2 ? null : (
          <div class="field">
            <label for="device">{say.tryDevice}</label>
            <div class="input">
              <select id="device" name="device">
                <option value="">{say.anyDevice}</option>
                {data.devices.map(({ id, name }) => (
                  <option value={id} selected={id === query.device}>
                    {name}
                  </option>
                ))}
              </select>
            </div>
          </div>
        )}
        <button class="button">{say.tryIt}</button>
      </form>
      <Fits {...shown} />
    </Section>
  );
};

export const ChatbotView = (shown: All): JSX.Element => {
  const { data, query, form, t } = shown;
  const say = automationTexts(t);
  const { rows } = data.listed;
  return (
    <div class="rows">
      <Adder title={say.create} isOpen={isBack(form, 'create')}>
        <NewForm {...{ form, t, devices: data.devices }} />
      </Adder>
      <TryOut {...shown} />
      {rows.length === 0 ? (
        <Empty text={say.none} />
      ) : (
        <Section title={t.nav.places.rules}>
          <p class="hint">{say.order}</p>
          <ol class="rows">
            {rows.map((rule) => (
              <Row {...shown} rule={rule} />
            ))}
          </ol>
          <Pager list={{ path: '/chatbot', query, usualSort: 'position' }} listed={data.listed} />
        </Section>
      )}
    </div>
  );
};
