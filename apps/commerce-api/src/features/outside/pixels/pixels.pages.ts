import type { Database, Sql } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import { Text } from '@platform/validation';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { idTyped } from '../../../web/form.fields';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { Seen } from '../../../web/seen';
import { action, actions, page } from '../../../web/page';
import { within } from '../../../web/within';
import { PixelBody, PixelChange, TestBody, type Pixel, type TestAnswer } from './pixels.dto';
import type { PixelsService } from './pixels.service';
import { pixelById, pixelEventListing, pixelsOf, shownPixel } from './pixels.sql';
import { pixelTexts } from './pixels.texts';
import { PixelsView, type Pixels } from './pixels.view';

export interface PixelPageParts extends Pick<AreaParts, 'database' | 'clock' | 'cursors'> {
  /** The service as it works in a transaction, or in those of its own. */
  readonly pixels: (sql: Pick<Database, 'tx'> & Sql) => PixelsService;
}

class PixelsQuery {
  @Text({ optional: true, format: 'uuid', description: 'The one that is being changed' }) id?: string;
}

/** The form of a pixel. */
class PixelEdit extends PixelChange {
  @Text({ format: 'uuid' }) id!: string;
  @Seen() seen!: string;
}
class PixelTest extends TestBody {
  @Text({ format: 'uuid' }) id!: string;
}
class PixelNamed {
  @Text({ format: 'uuid' }) id!: string;
}

const PATH = '/pixels';
/** Events that a page shows. */
const LATEST = 20;

const labels = (t: Reader) => {
  const say = pixelTexts(t);
  return { kind: say.kind, pixel_ref: say.ref, token: say.token, events: say.events, test_event_code: say.testCode };
};
const conflicts = {
  pixel_taken: { field: 'pixel_ref', text: (t: Reader) => pixelTexts(t).taken },
  too_many_pixels: { text: (t: Reader) => pixelTexts(t).tooMany },
  token_missing: { text: (t: Reader) => pixelTexts(t).tokenNeeded },
};

const listPage = ({ database, cursors }: PixelPageParts) =>
  page({
    ...{ get: PATH, ability: 'pixel.write', query: PixelsQuery, labels, conflicts },
    title: ({ t }) => t.nav.places.pixels,
    load: async ({ viewer: { caller }, query, typed }): Promise<Pixels> => {
      const { storeId } = caller;
      const pixels = await pixelsOf(database, storeId);
      const id = query.id ?? idTyped(typed);
      if (id === undefined) return { pixels, chosen: undefined };
      const pixel = shownPixel(await pixelById(database, storeId, id));
      const asked = { pixel_id: pixel.id, limit: LATEST };
      const { rows: sent } = await pixelEventListing.feed(database, storeId, asked, cursors);
      return { pixels, chosen: { pixel, sent } };
    },
    view: PixelsView,
  });

/** A network that does not answer has not taken it either. */
const unanswered = (failure: unknown): TestAnswer => {
  if (failure instanceof UpstreamFailed) return { taken: false, answer: failure.message };
  throw failure;
};

/** A token that is not typed stays. */
const saved = ({ pixel_ref: name, id }: Pixel, { t }: { readonly t: Reader }) => ({
  to: `${PATH}?id=${id}`,
  flash: pixelTexts(t).saved({ name }),
});

/** What the API's pixels are to people. */
export const pixelPages = (parts: PixelPageParts): Pages => {
  const by = byOf(parts.clock);
  const all = listPage(parts);
  const posted = actions({
    ...{ post: PATH, ability: 'pixel.write', of: all, secretFields: ['token'] },
    on: {
      create: action({
        ...{ body: PixelBody, done: saved },
        run: ({ viewer, body, tx }) => parts.pixels(within(tx)).create(by(viewer), body),
      }),
      save: action({
        ...{ body: PixelEdit, done: saved },
        // An empty input is no wish to lose the token
        reads: ({ token, ...typed }) => ({ ...typed, ...(token !== '' && token !== undefined && { token }) }),
        run: ({ viewer, body: { id, seen, ...change }, tx }) =>
          parts.pixels(within(tx)).change(by(viewer), id, change, seen),
      }),
      remove: action({
        body: PixelNamed,
        run: ({ viewer, body, tx }) => parts.pixels(within(tx)).remove(by(viewer), body.id),
        done: (_, { t }) => ({ to: PATH, flash: pixelTexts(t).removed }),
      }),
      test: action({
        body: PixelTest,
        before: async ({ viewer, body: { id, ...test } }) => ({
          id,
          ...(await parts.pixels(parts.database).test(by(viewer), id, test).catch(unanswered)),
        }),
        run: async ({ ready }) => ready,
        done: ({ id, taken, answer }, { t }) => {
          const say = pixelTexts(t);
          return { to: `${PATH}?id=${id}`, flash: taken ? say.accepted({ answer }) : say.refused({ answer }) };
        },
      }),
    },
  });
  return (kit) => [all, posted].flatMap((pages) => pages(kit));
};
