import { foldText } from '@platform/contracts';

const OPT_IN = 'start';

/** Whether a message is nothing but an opt-out word (true) or START (false); null: it is about something else (design 3.2). */
export const optOutWish = (text: string | undefined, words: readonly string[]): boolean | null => {
  const said = text === undefined || text.length > 64 ? '' : foldText(text);
  if (said === OPT_IN) return false;
  return said !== '' && words.some((word) => foldText(word) === said) ? true : null;
};
