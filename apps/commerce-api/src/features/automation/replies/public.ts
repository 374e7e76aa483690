export { replyCopies } from './reply.copy';
export { repliesEndpoints } from './replies.endpoints';
export { createReply, quickReply, type ReplyParts } from './replies.sql';
