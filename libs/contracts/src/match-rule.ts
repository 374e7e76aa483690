import { normalized } from '@platform/runtime';

export const ruleMatches = ['exact', 'starts', 'contains'] as const;
export type RuleMatch = (typeof ruleMatches)[number];

export interface KeywordRule {
  /** The lowest position among the rules that match wins. */
  readonly position: number;
  readonly match: RuleMatch;
  readonly keywords: readonly string[];
  /** Devices the rule is for; empty: all. */
  readonly instances: readonly string[];
  readonly active: boolean;
}

/** NFKC, lower case, white space collapsed to single spaces. */
export const foldText = (text: string): string => normalized(text, 'NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}\p{M}_]/u.test(character);

const characterBefore = (text: string, index: number): string | undefined =>
  [...text.slice(Math.max(0, index - 2), index)].at(-1);
const characterAt = (text: string, index: number): string | undefined => [...text.slice(index, index + 2)].at(0);

/** A word character on both sides of the keyword's edge means that the edge lies inside a word. */
const standsAlone = (text: string, keyword: string, at: number): boolean => {
  const end = at + keyword.length;
  const cutBefore = isWordCharacter(characterAt(keyword, 0)) && isWordCharacter(characterBefore(text, at));
  const cutAfter = isWordCharacter(characterBefore(keyword, keyword.length)) && isWordCharacter(characterAt(text, end));
  return !cutBefore && !cutAfter;
};

const containsWords = (text: string, keyword: string): boolean => {
  for (let at = text.indexOf(keyword); at !== -1; at = text.indexOf(keyword, at + 1))
    if (standsAlone(text, keyword, at)) return true;
  return false;
};

const fits: Record<RuleMatch, (text: string, keyword: string) => boolean> = {
  exact: (text, keyword) => text === keyword,
  starts: (text, keyword) => text.startsWith(keyword),
  contains: containsWords,
};

const applies = (rule: KeywordRule, text: string, instance: string | undefined): boolean => {
  if (rule.instances.length > 0 && (instance === undefined || !rule.instances.includes(instance))) return false;
  return rule.keywords.map(foldText).some((keyword) => keyword !== '' && fits[rule.match](text, keyword));
};

/**
 * The rule that answers a text, if any: the active one with the lowest position whose devices include `instance` and one
 * of whose keywords fits. Plain text search, no regular expressions of merchants, which could stall a process. Used on the
 * message path by chat-backend and to try texts out by commerce-api, so that both always agree.
 */
export const matchRule = <R extends KeywordRule>(
  rules: readonly R[],
  message: { readonly text: string; readonly instance?: string },
): R | undefined => {
  const text = foldText(message.text);
  let best: R | undefined;
  for (const rule of rules) {
    const candidate = rule.active && (best === undefined || rule.position < best.position);
    if (candidate && applies(rule, text, message.instance)) best = rule;
  }
  return best;
};
