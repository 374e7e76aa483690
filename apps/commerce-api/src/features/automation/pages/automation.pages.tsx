import type { Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import { parse } from '@platform/validation';
import type { byOf } from '../../../by';
import type { Asking } from '../../../clients/bot.desk';
import { unlessAway } from '../../../web/away';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, ownersForm, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import type { Named } from '../../agents/agents/public';
import { deviceListing, DevicesQuery } from '../../devices/public';
import {
  changeRule,
  createRule,
  deleteRule,
  moveRule,
  RuleBody,
  ruleFor,
  ruleListing,
  type RuleParts,
} from '../rules/public';
import { saveWelcome, WelcomeEdit, welcomeOf, WelcomeWish, writeWelcome, type WelcomeParts } from '../welcomes/public';
import { automationTexts } from './automation.texts';
import { ChatbotQuery, RuleEdit, RuleNamed, ruleTyped, welcomeTyped, writes } from './automation.types';
import { ChatbotView } from './rules.view';
import { WelcomeView } from './welcome.view';

export interface AutomationPageParts {
  readonly database: Database;
  readonly by: ReturnType<typeof byOf>;
  readonly rules: RuleParts;
  readonly welcomes: WelcomeParts;
  readonly agents: (who: Asking) => Promise<readonly Named[]>;
}

const ability = 'agent.write';

const labels = (t: Reader) => {
  const say = automationTexts(t);
  return {
    ...{ keywords: say.keywords, 'keywords[]': say.keywords, match: say.match, 'reply[text]': say.reply },
    ...{ device_ids: say.devices, 'device_ids[]': say.devices, active: say.active },
    ...{ text: say.text, once_per_hours: say.once, agent_id: say.agent },
  };
};
const conflicts = { too_many_rules: { text: (t: Reader) => automationTexts(t).tooMany } };

/** What would answer; nothing is tried to a device that is not there any more. */
const fitting = async (database: Database, storeId: string, { text, device }: ChatbotQuery) => {
  if (text === undefined) return undefined;
  const tried = { text, ...(device !== undefined && { device_id: device }) };
  return ruleFor(database, storeId, tried).catch((failure: unknown) => {
    if (failure instanceof NotFound) return undefined;
    throw failure;
  });
};

const chatbot = ({ database }: AutomationPageParts) =>
  page({
    get: '/chatbot',
    ability,
    query: ChatbotQuery,
    title: ({ t }) => t.nav.places.rules,
    tools: ({ t }) => (
      <a class="button" href="/chatbot/welcome">
        {automationTexts(t).welcome}
      </a>
    ),
    load: async ({ viewer: { caller }, query }) => {
      const { storeId } = caller;
      const [listed, devices, fits] = await Promise.all([
        ruleListing.page(database, storeId, query),
        deviceListing.page(database, storeId, Object.assign(new DevicesQuery(), { per_page: 100 })),
        fitting(database, storeId, query),
      ]);
      return { listed, devices: devices.rows, fits };
    },
    view: ChatbotView,
    ...{ labels, conflicts },
  });

/** A text that a model writes; undefined: nobody was asked, or nobody could be. */
const madeFor = async ({ welcomes }: AutomationPageParts, storeId: string, typed: Typed | undefined) => {
  if (!typed || !writes(typed)) return undefined;
  const { value } = parse(WelcomeWish, { agent_id: typed.agent_id, tone: typed.tone }, { from: 'form' });
  if (!value) return undefined;
  const made = await unlessAway(writeWelcome(welcomes, storeId, value)).catch((failure: unknown) => {
    if (failure instanceof NotFound) return undefined;
    throw failure;
  });
  return made?.welcome_message ?? 'away';
};

const welcome = (parts: AutomationPageParts) =>
  page({
    get: '/chatbot/welcome',
    ability,
    back: '/chatbot',
    title: ({ t }) => automationTexts(t).welcome,
    load: async ({ viewer: { caller }, typed }) => {
      const [now, agents, made] = await Promise.all([
        welcomeOf(parts.database, caller.storeId),
        unlessAway(parts.agents(caller)),
        madeFor(parts, caller.storeId, typed),
      ]);
      return { welcome: now, agents, made };
    },
    view: WelcomeView,
    labels,
  });

const changes = ({ by, rules }: AutomationPageParts, all: ReturnType<typeof chatbot>): Pages => {
  const done =
    (said: 'created' | 'saved' | 'moved' | 'removed') =>
    (_: unknown, { t }: { readonly t: Reader }) => ({
      to: '/chatbot',
      flash: automationTexts(t)[said],
    });
  const moved = (step: -1 | 1) =>
    action({
      body: RuleNamed,
      run: ({ viewer, body: { id }, tx }) => moveRule(tx, rules, by(viewer), [id, step]),
      done: done('moved'),
    });
  return actions({
    ...{ post: '/chatbot', ability, of: all },
    on: {
      create: action({
        ...{ body: RuleBody, reads: ruleTyped },
        run: ({ viewer, body, tx }) => createRule(tx, rules, by(viewer), body),
        done: done('created'),
      }),
      save: action({
        ...{ body: RuleEdit, reads: ruleTyped },
        run: ({ viewer, body: { id, seen, ...change }, tx }) => changeRule(tx, rules, by(viewer), [id, change], seen),
        done: done('saved'),
      }),
      ...{ up: moved(-1), down: moved(1) },
      remove: action({
        body: RuleNamed,
        run: ({ viewer, body: { id }, tx }) => deleteRule(tx, rules, by(viewer), id),
        done: done('removed'),
      }),
    },
  });
};

/** What the shop answers by itself: rules with a box to try them, and the text that welcomes customers. */
export const automationPages = (parts: AutomationPageParts): Pages[] => {
  const { database, welcomes, by } = parts;
  const [all, one] = [chatbot(parts), welcome(parts)];
  const saved = ownersForm({
    ...{ post: '/chatbot/welcome', ability, of: one },
    ...{ body: WelcomeEdit, reads: welcomeTyped, looks: writes },
    run: ({ viewer, body: { seen, ...change } }) => saveWelcome(database, welcomes, by(viewer), change, seen),
    done: (_, { t }) => ({ to: '/chatbot/welcome', flash: automationTexts(t).welcomeSaved }),
  });
  return [all, changes(parts, all), one, saved];
};
