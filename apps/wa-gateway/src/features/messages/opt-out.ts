import type { NeutralMessage } from '../../engines/engine.types';

const WORDS: Readonly<Record<string, 'out' | 'in' | undefined>> = {
  STOP: 'out',
  BERHENTI: 'out',
  UNSUBSCRIBE: 'out',
  START: 'in',
};

/** Whether a message is one of the opt-out or opt-in words of design 3.6. */
export const campaignWish = ({ chat, fromMe, text = '' }: NeutralMessage): 'out' | 'in' | undefined =>
  fromMe || chat.endsWith('@g.us') || text.length > 32 ? undefined : WORDS[text.trim().toUpperCase()];
