/** What guards conversations, and messages to whoever has not written. */
export const inboxAbilities = ['chat.reply', 'wa.send'] as const;
