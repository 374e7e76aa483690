/** Rooms of chat-backend. All carry the store, so that no event can cross tenants by a room's name. */
export const chatRooms = {
  store: (store: string) => `s:${store}`,
  team: (store: string, team: string) => `s:${store}:t:${team}`,
  chat: (store: string, chatId: string) => `s:${store}:c:${chatId}`,
  user: (store: string, user: string) => `s:${store}:u:${user}`,
} as const;

export const gatewayRooms = {
  instance: (instance: string) => `instance:${instance}`,
  team: (team: string) => `team:${team}`,
} as const;
