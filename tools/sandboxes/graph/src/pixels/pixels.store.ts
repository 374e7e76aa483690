import type { Json } from '../json.reader';

/** A data set (pixel) and who may send to it. */
export interface PixelRow {
  readonly id: string;
  readonly token: string;
}

export const defaultPixel: PixelRow = { id: '600770000000001', token: 'sandbox-pixel-token' };

export interface PixelOptions {
  /** `defaultPixel` unless given. */
  readonly pixels?: readonly PixelRow[];
  readonly now?: () => Date;
}

export interface PixelFault {
  readonly status: number;
  /** Of the Graph error. */
  readonly code: number;
}

export interface ReceivedEvent {
  readonly pixel: string;
  readonly test_event_code: string | undefined;
  readonly event: Json;
}

/** What the Conversions API has taken. */
export class PixelsNetwork {
  readonly pixels: ReadonlyMap<string, PixelRow>;
  readonly received: ReceivedEvent[] = [];
  /** Answers to the next calls, the first first. */
  readonly faults: PixelFault[] = [];
  readonly now: () => Date;

  constructor({ pixels = [defaultPixel], now = () => new Date() }: PixelOptions = {}) {
    this.pixels = new Map(pixels.map((pixel) => [pixel.id, pixel]));
    this.now = now;
  }

  /** What counts: of two with one name and id the first. */
  counted(): ReceivedEvent[] {
    const seen = new Set<string>();
    return this.received.filter(({ pixel, test_event_code, event: { event_name, event_id } }) => {
      if (test_event_code !== undefined) return false;
      const key = [pixel, event_name, event_id].join(' ');
      return typeof event_id !== 'string' || (!seen.has(key) && Boolean(seen.add(key)));
    });
  }
}
