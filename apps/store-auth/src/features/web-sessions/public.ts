// What other features of this app may use.
export { DoneReply } from './web-session.dto';
export { cookieHeaders, type WebSessions } from './web-session.service';
