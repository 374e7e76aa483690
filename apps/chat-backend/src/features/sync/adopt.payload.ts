/** A store that has chats in a team that is gone. */
export interface AdoptPayload {
  readonly storeId: string;
}
