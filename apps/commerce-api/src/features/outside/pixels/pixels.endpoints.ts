import type { Database, PageCursor } from '@platform/data';
import { area, cursorPage, dataOf, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import {
  Pixel,
  PixelBody,
  PixelChange,
  PixelEventRow,
  PixelEventsQuery,
  PixelsAnswer,
  TestAnswer,
  TestBody,
} from './pixels.dto';
import { pixelRefusals, type PixelsService } from './pixels.service';
import { pixelById, pixelEventListing, pixelsOf } from './pixels.sql';

interface Parts {
  readonly database: Database;
  readonly cursors: PageCursor;
  readonly pixels: PixelsService;
  readonly by: ReturnType<typeof byOf>;
}

const rows = ({ database, pixels, by }: Parts): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Advertising pixels',
    guard: 'pixel.write',
    reply: PixelsAnswer,
    refuses: [],
    handle: async ({ caller }) => ({ data: await pixelsOf(database, caller.storeId) }),
  }),
  endpoint({
    post: '',
    summary: 'Add pixel',
    guard: 'pixel.write',
    status: 201,
    secretFields: ['token'],
    body: PixelBody,
    reply: dataOf(Pixel, 'Pixel created'),
    refuses: [pixelRefusals.taken, pixelRefusals.tooMany],
    handle: (input) => pixels.create(by(input), input.body),
  }),
  endpoint({
    put: '/{id}',
    summary: 'Update pixel and event choice',
    guard: 'pixel.write',
    secretFields: ['token'],
    body: PixelChange,
    reply: dataOf(Pixel, 'Pixel updated'),
    refuses: ['notFound', pixelRefusals.taken],
    handle: (input) => pixels.change(by(input), input.params.id, input.body),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Remove pixel',
    guard: 'pixel.write',
    reply: done('Pixel deleted'),
    refuses: ['notFound'],
    handle: (input) => pixels.remove(by(input), input.params.id),
  }),
];

const told = ({ database, cursors, pixels, by }: Parts): Endpoint[] => [
  endpoint({
    post: '/{id}/test-event',
    summary: 'Send a test event',
    guard: 'pixel.write',
    body: TestBody,
    reply: dataOf(TestAnswer),
    refuses: ['notFound', pixelRefusals.noToken, 'upstreamFailed'],
    handle: (input) => pixels.test(by(input), input.params.id, input.body),
  }),
  endpoint({
    get: '/{id}/events',
    summary: 'Recent server events and answers',
    guard: 'pixel.write',
    query: PixelEventsQuery,
    reply: cursorPage(PixelEventRow),
    refuses: ['notFound'],
    handle: async ({ caller, params, query }) => {
      await pixelById(database, caller.storeId, params.id);
      return pixelEventListing.feed(database, caller.storeId, { ...query, pixel_id: params.id }, cursors);
    },
  }),
];

export const pixelsEndpoints = (parts: Parts): Endpoint[] =>
  area({ prefix: '/api/pixel', tag: 'Marketing' }, [...rows(parts), ...told(parts)]);
