import { matchRule } from '@platform/contracts';
import { uuidv5 } from '@platform/runtime';
import type { Content } from '../outbound/public';
import type { AutomationPayload } from './automation.payload';
import type { AutomationRepository, OpenQuestion, RuleReply } from './automation.repository';

/** Namespace of the ids of automatic answers. */
const AUTO = '6f6b0c5e-64a8-5c0c-9d2e-2f6f9a3f7a11';

/** The one automatic answer that a message can have: however often it is made, it is stored and sent once. */
export const autoReplyId = (storeId: string, { instance, messageId }: OpenQuestion): string =>
  uuidv5(AUTO, `${storeId}/${instance}/${messageId}/auto`);

const mediaTypes = ['image', 'video', 'document', 'audio'] as const;

/** A file goes as what it is, its words with it; where it cannot carry words, and any other address, it follows them as a link. */
const contentOf = ({ text, url, type }: RuleReply): Content | undefined => {
  const use = mediaTypes.find((known) => known === type);
  if (url && use && !(use === 'audio' && text))
    return { type: use, ...(text ? { caption: text } : {}), file: { use, url } };
  const words = [text, url].filter(Boolean).join('\n');
  return words ? { type: 'chat', text: words } : undefined;
};

export interface AutoReply {
  readonly kind: 'welcome' | 'rule';
  readonly content: Content;
}

/** The welcome text of an episode's first message, else the reply of the first keyword rule that fits; from the synced copy, without any call. */
export const findAutoReply = async (
  repository: AutomationRepository,
  payload: AutomationPayload,
  question: OpenQuestion,
): Promise<AutoReply | undefined> => {
  const { welcome, instance } = question;
  if (welcome && (await repository.claimWelcome(payload, payload.seq)))
    return { kind: 'welcome', content: { type: 'chat', text: welcome } };
  const text = question.text ?? question.caption;
  const rule = text ? matchRule(await repository.rules(payload.storeId), { text, instance }) : undefined;
  const content = rule && contentOf(rule.reply);
  return content && { kind: 'rule', content };
};
