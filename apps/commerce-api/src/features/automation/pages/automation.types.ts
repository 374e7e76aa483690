import type { ListedPage } from '@platform/data';
import { Text } from '@platform/validation';
import type { Typed } from '../../../web/sessions/drafts';
import { Seen } from '../../../web/seen';
import type { Named } from '../../agents/agents/public';
import { RuleChange, RulesQuery, type Rule } from '../rules/public';
import type { Welcome } from '../welcomes/public';

/** With a message that is tried. */
export class ChatbotQuery extends RulesQuery {
  @Text({ optional: true, max: 1_000, dropNul: true, description: 'As a customer would write it' }) text?: string;
  @Text({ optional: true, format: 'uuid', description: 'To this device' }) device?: string;
}

export class RuleEdit extends RuleChange {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}

export class RuleNamed {
  @Text({ format: 'uuid' }) id!: string;
}

export interface ChatbotData {
  readonly listed: ListedPage<Rule>;
  readonly devices: readonly Named[];
  /** Undefined: nothing is tried; null: no rule fits. */
  readonly fits: Rule | null | undefined;
}

export interface WelcomeData {
  readonly welcome: Welcome;
  /** Undefined while bot-engine is away. */
  readonly agents: readonly Named[] | undefined;
  /** What a model has written; `away`: nothing, as it cannot now. */
  readonly made: string | 'away' | undefined;
}

const KEYWORDS = 'keywords';
const SEPARATOR = /[,\n]/;

/** Words between commas as a list; a box that is not ticked says no, and no device says none. */
export const ruleTyped = (typed: Typed): Typed => {
  const words = typeof typed[KEYWORDS] === 'string' ? typed[KEYWORDS] : '';
  const keywords = words
    .split(SEPARATOR)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const devices = [typed.device_ids ?? []].flat() as string[];
  return {
    ...typed,
    active: typed.active ?? 'false',
    ...{ keywords: keywords.length === 0 ? '' : keywords, device_ids: devices.length === 0 ? '' : devices },
  } as Typed;
};

/** How it is to sound is no part of what is saved. */
export const welcomeTyped = ({ tone: _tone, write: _write, ...typed }: Typed): Typed => ({
  ...typed,
  enabled: typed.enabled ?? 'false',
});

/** Whether a text is only to be written. */
export const writes = (typed: Typed): boolean => typed.write !== undefined;
