export { replyCopies } from './reply.copy';
export { repliesEndpoints } from './replies.endpoints';
export { createReply, quickReply, replyListing, type ReplyParts } from './replies.sql';
export { QuickRepliesQuery, type QuickReply } from './replies.dto';
