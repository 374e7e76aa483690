export { PushShown, PushSubscriptionGiven } from './subscriptions.dto';
export {
  browserIdOf,
  openSubscriptions,
  pushRefusals,
  signedOutElsewhere,
  signedOutOf,
  Subscriptions,
  type BrowserOwner,
} from './subscriptions';
export { queuePushes } from './push.queue';
export { PushSends } from './push.sends';
export { byChat, tellChat, type ToldChat } from './told.chats';
