/** What guards tickets, and what chat-backend tells. */
export const ticketAbilities = ['ticket.write', 'chat.tell'] as const;
