import type { RecordedAnswers } from '@platform/http';

/** What the walks have recorded; nobody but the documentation loads it. */
export const recordedAnswers = (): RecordedAnswers => {
  const shop = require('./examples.answers.json') as RecordedAnswers;
  const chats = require('./chats.answers.json') as RecordedAnswers;
  return { ...shop, ...chats };
};
