export { OwnChats } from './own-chats';
export { boughtBySeen, isSeen, ofSeenOrder, seenBy, type Seen } from './sight.sql';
