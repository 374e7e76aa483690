import { area, dataOf, done, listOf, type Endpoint } from '@platform/http';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { BiolinkBlock, BlockBody, BlockOrder } from './blocks.dto';
import { addBlock, blockRefusals, changeBlock, orderBlocks, removeBlock } from './blocks.sql';

/** What pages of links show. */
export const blocksEndpoints = ({ database, clock }: Pick<AreaParts, 'database' | 'clock'>): Endpoint[] => {
  const by = byOf(clock);
  return area({ prefix: '/api/biolink', tag: 'Marketing' }, [
    endpoint({
      post: '/{id}/links',
      summary: 'Add block',
      description: 'Below all others.',
      guard: 'marketing.write',
      status: 201,
      body: BlockBody,
      reply: dataOf(BiolinkBlock, 'Block created'),
      refuses: ['notFound', blockRefusals.tooMany],
      handle: (input) => database.tx((tx) => addBlock(tx, by(input), input.params.id, input.body)),
    }),
    endpoint({
      put: '/{id}/links/order',
      summary: 'Reorder blocks',
      guard: 'marketing.write',
      body: BlockOrder,
      reply: listOf(BiolinkBlock, 'Blocks updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => orderBlocks(tx, by(input), input.params.id, input.body)),
    }),
    endpoint({
      put: '/{id}/links/{linkId}',
      summary: 'Update block',
      guard: 'marketing.write',
      body: BlockBody,
      reply: dataOf(BiolinkBlock, 'Block updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => changeBlock(tx, by(input), input.params, input.body)),
    }),
    endpoint({
      delete: '/{id}/links/{linkId}',
      summary: 'Remove block',
      guard: 'marketing.write',
      reply: done('Block deleted'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => removeBlock(tx, by(input), input.params)),
    }),
  ]);
};
