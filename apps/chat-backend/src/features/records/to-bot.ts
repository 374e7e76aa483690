/**
 * What became of a customer's message at the bot (`messages.to_bot`): not decided yet, put to it, or kept from it because a rule
 * answered, a person came first or the bot was not there; `answering`: an automatic answer waits for its file, or for one that does.
 * Null: it came when the chat was not the bot's.
 */
export const toBot = { undecided: 0, asked: 1, kept: 2, answering: 3 } as const;
