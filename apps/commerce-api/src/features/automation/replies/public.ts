export { replyCopies } from './reply.copy';
export { repliesEndpoints } from './replies.endpoints';
export { changeReply, createReply, deleteReply, quickReply, replyListing, type ReplyParts } from './replies.sql';
export { QuickRepliesQuery, QuickReplyBody, QuickReplyChange, type QuickReply } from './replies.dto';
