/** Agents with the inbox open and writing customers, in one child process, so that one clock times both. Sent to it as one message. */
export interface ScreensJob {
  /** Of the back office. */
  readonly desk: string;
  /** Of chat-backend, which customers' messages come to. */
  readonly chat: string;
  /** Addresses of agents: each signs in, and looks at one of the customers' chats beside the list. */
  readonly emails: readonly string[];
  readonly device: string;
  /** Numbers of customers who have a chat. */
  readonly numbers: readonly string[];
  readonly messages: number;
  readonly perSecond: number;
}

export interface ScreensResult {
  /** Seconds until every page was open. */
  readonly opened: number;
  /** Milliseconds from the customer's request to the row of the list as HTML, over all messages and pages. */
  readonly rows: readonly number[];
  /** The same to the bubble, where the chat is open. */
  readonly bubbles: readonly number[];
  /** Rows and bubbles that never came. */
  readonly missing: number;
}
