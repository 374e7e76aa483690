/** What a caller may do with the messages that a shop sends by itself. */
export const messagesAbilities = ['template.write'] as const;
