import { Choice, Flag, Text, Texts, clearing } from '@platform/validation';

export const positions = ['left', 'right'] as const;
const COLOR = { pattern: /^#[0-9a-f]{6}$/i, mismatch: { tag: 'color', text: 'must be of the form #rrggbb' } } as const;
const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const HOSTS = 'Pages of these hosts may show it; of all where there are none';

class WidgetFields {
  @Flag({ optional: true }) enabled?: boolean;
  @Text({ optional: true, max: 60, trim: true }) title?: string;
  @Text({ optional: true, max: 200, trim: true, keepEmpty: true }) greeting?: string;
  @Text({ optional: true, ...COLOR }) color?: string;
  @Choice(positions, { optional: true }) position?: (typeof positions)[number];
  @Text({ optional: true, format: 'uuid', description: 'WhatsApp device that answers' }) device_id?: string;
  @Texts({ optional: true, max: 20, maxLength: 253, description: HOSTS }) allowed_hosts?: string[];
}

/** What a store has that has set nothing. */
export const USUAL = {
  ...{ enabled: false, title: '', greeting: '', color: '#128c7e', position: positions[1] },
  ...{ device_id: null, allowed_hosts: [] as string[] },
};

export class WidgetChange extends clearing(WidgetFields, USUAL) {}

/** In lower case; undefined for a text that is no name of a host. */
export const hostOf = (text: string): string | undefined => {
  const host = text.trim().toLowerCase();
  return HOST.test(host) ? host : undefined;
};

export class Widget {
  @Flag() enabled!: boolean;
  @Text({ keepEmpty: true }) title!: string;
  @Text({ keepEmpty: true }) greeting!: string;
  @Text() color!: string;
  @Choice(positions) position!: (typeof positions)[number];
  @Text({ nullable: true, format: 'uuid' }) device_id!: string | null;
  @Texts({ description: HOSTS }) allowed_hosts!: string[];
}
