import { writerOf, writerOfOne } from '@platform/validation';
import type { WriteReply } from './answer';
import type { Endpoint } from './endpoint';
import { OneOf } from './one-of';
import { Shaped } from './shaped';

const asItIs: WriteReply = (value) => value;

/** The writer of an endpoint's replies: what its DTO declares and nothing else. Kinds without a DTO stay as they are. */
export const replyWriter = ({ reply }: Pick<Endpoint, 'reply'>): WriteReply => {
  if (typeof reply === 'function') return writerOf(reply);
  if (reply instanceof OneOf) return reply.dtos.length > 0 ? writerOfOne(reply.dtos) : asItIs;
  if (!(reply instanceof Shaped)) return asItIs;
  const write = writerOf(reply.dto);
  return (value, groups) => write(reply.shape(value as never), groups);
};
