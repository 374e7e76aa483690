import type { NeutralMessage } from '../../engines/engine.types';

const WORDS: Readonly<Record<string, 'out' | 'in' | undefined>> = {
  STOP: 'out',
  BERHENTI: 'out',
  UNSUBSCRIBE: 'out',
  START: 'in',
};

/** Whether a person says, in a message of one of the words of design 3.6, that campaigns are not wanted or wanted again. */
export const campaignWish = ({ chat, fromMe, text = '' }: NeutralMessage): 'out' | 'in' | undefined =>
  fromMe || chat.endsWith('@g.us') || text.length > 32 ? undefined : WORDS[text.trim().toUpperCase()];
