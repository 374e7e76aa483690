import { Choice, Flag, Int, List, Text, Texts, clearing } from '@platform/validation';
import { pixelKinds, type PixelKind } from '../../../clients/pixel.port';

export const pixelEvents = ['page_view', 'view_content', 'add_to_cart', 'checkout', 'purchase'] as const;

export class PixelBody {
  @Choice(pixelKinds) kind!: PixelKind;
  @Text({
    max: 40,
    trim: true,
    pattern: /^[A-Za-z0-9_-]+$/,
    mismatch: { tag: 'pixel_ref', text: 'must be the id that the network shows: letters, digits, - and _' },
    description: 'Id of the pixel, or the measurement id of Google Analytics',
  })
  pixel_ref!: string;
  @Text({
    optional: true,
    max: 500,
    trim: true,
    pattern: /^[!-~]+$/,
    mismatch: { tag: 'token', text: 'must be as the network shows it: letters, digits and signs without spaces' },
    description: 'Write only. Without one only the browser tells the network',
  })
  token?: string;
  @Texts({ min: 1, max: pixelEvents.length, maxLength: 40, description: pixelEvents.join(', ') }) events!: string[];
}

/** A token that is left out stays, unless the pixel becomes one of another network; null takes it away. */
export class PixelChange extends clearing(PixelBody, { token: null }) {}

export class Pixel {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(pixelKinds) kind!: PixelKind;
  @Text() pixel_ref!: string;
  @Texts() events!: string[];
  @Flag() token_set!: boolean;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant' }) updated_at!: string;
}

export class PixelsAnswer {
  @List(() => Pixel) data!: Pixel[];
}

export class TestBody {
  @Text({ optional: true, max: 40, trim: true, description: 'Of the console for tests of Meta or TikTok' })
  test_event_code?: string;
}

export class TestAnswer {
  @Flag() taken!: boolean;
  @Text({ description: 'What the network has answered' }) answer!: string;
}

export const eventStates = ['waiting', 'sent', 'refused', 'given_up'] as const;

export class PixelEventsQuery {
  @Text({ optional: true, max: 500 }) cursor?: string;
  @Int({ optional: true, min: 1, max: 200, description: '50 unless given' }) limit?: number;
  @Choice(eventStates, { optional: true }) status?: (typeof eventStates)[number];
}

export class PixelEventRow {
  @Text({ format: 'uuid' }) id!: string;
  @Text() name!: string;
  @Text({ description: 'The same in the browser' }) event_id!: string;
  @Choice(eventStates) status!: (typeof eventStates)[number];
  @Int() attempts!: number;
  @Text({ nullable: true, description: 'Of the network' }) answer!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
  @Text({ format: 'instant', nullable: true }) done_at!: string | null;
}
