import type { JSX } from 'preact';
import type { Reader } from '../../../web/i18n/reader';
import type { Shown } from '../../../web/page.types';
import { Icon, type IconName } from '../../../web/ui/icon';
import { Chip } from '../../../web/ui/parts';
import { Way } from '../../../web/ui/reading';
import { setupSteps, type Setup, type SetupStep } from './setup';
import { setupTexts } from './setup.texts';

const SIGNS: Readonly<Record<SetupStep, IconName>> = {
  ...{ shop: 'building-store', product: 'package', payment: 'credit-card', shipping: 'truck' },
  ...{ device: 'device-mobile', team: 'user-plus', sale: 'share' },
};

/** Where each is done. */
const placeOf = (step: SetupStep, { slug }: Setup): string =>
  ({
    ...{ shop: '/settings/shop', product: '/products/create', payment: '/settings/payments', shipping: '/shipping' },
    ...{ device: '/devices', team: '/team', sale: `/s/${slug}` },
  })[step];

/** The steps, those that are done ticked. */
export const SetupList = ({ setup, t }: { readonly setup: Setup; readonly t: Reader }): JSX.Element => {
  const say = setupTexts(t);
  return (
    <ol class="tasks">
      {setupSteps.map((step) => {
        const isDone = setup.done[step];
        return (
          <li>
            <Way to={placeOf(step, setup)} class="task-row">
              <span class={`task-sign ${isDone ? 'good' : 'plain'}`}>
                <Icon name={isDone ? 'check' : SIGNS[step]} />
              </span>
              <span class="task-text">
                <b>{say.steps[step].name}</b>
                <br />
                <small>{say.steps[step].text}</small>
              </span>
              <Chip tone={isDone ? 'good' : 'plain'}>{isDone ? say.done : say.open}</Chip>
              <Icon name="chevron-right" />
            </Way>
          </li>
        );
      })}
    </ol>
  );
};

export const SetupView = ({ data: setup, t }: Shown<Setup>): JSX.Element => {
  const say = setupTexts(t);
  const done = Object.values(setup.done).filter(Boolean).length;
  const all = setupSteps.length;
  return (
    <>
      <p>{done === all ? say.ready : say.progress({ done: t.count(done), all: t.count(all) })}</p>
      <SetupList setup={setup} t={t} />
    </>
  );
};
