import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import type { Reader } from '../../../web/i18n/reader';
import { action } from '../../../web/page';
import { Seen } from '../../../web/seen';
import type { Typed } from '../../../web/sessions/drafts';
import { deviceListing, DevicesQuery } from '../../devices/public';
import { changeWidget, WidgetChange, widgetFace } from '../../inbox/widget/public';
import type { StoreView } from '../store/public';
import { widgetTexts } from './widget.texts';
import { WIDGET, type WidgetShown } from './widget.view';

/** The form of the button on the shop's website. */
class WidgetEdit extends WidgetChange {
  @Seen() seen!: string;
}

interface Parts extends Pick<AreaParts, 'database' | 'clock'> {
  readonly publicUrl: string | undefined;
}

/** All of them: a plan has fewer. */
const ALL = { per_page: 100 };

export const widgetShown = async (
  { database, publicUrl }: Parts,
  { id, slug, phone }: Pick<StoreView, 'id' | 'slug' | 'phone'>,
): Promise<WidgetShown> => {
  const [{ number, ...widget }, devices] = await Promise.all([
    widgetFace(database, id),
    deviceListing.page(database, id, Object.assign(new DevicesQuery(), ALL)),
  ]);
  const script = publicUrl && `${publicUrl}/widget.js?shop=${slug}`;
  return { widget, devices: devices.rows, isAnswered: (number ?? phone) !== null, script };
};

/** As browsers name it: people copy the whole address of their page. */
const hostTyped = (line: string): string => {
  const address = /^https?:\/\//i.test(line) ? line : `http://${line}`;
  return URL.canParse(address) ? new URL(address).hostname : line;
};

/** Addresses are typed one a line; a box that is not ticked says no. */
const widgetTyped = ({ allowed_hosts: hosts, ...typed }: Typed): Typed => {
  const lines = typeof hosts === 'string' ? hosts.split('\n').flatMap((line) => line.trim() || []) : [];
  return { enabled: 'false', ...typed, allowed_hosts: lines.length === 0 ? '' : lines.map(hostTyped) };
};

export const widgetAction = ({ clock }: Pick<Parts, 'clock'>) =>
  action({
    ...{ body: WidgetEdit, reads: widgetTyped },
    run: ({ viewer, body: { seen, ...change }, tx }) => changeWidget(tx, byOf(clock)(viewer), change, seen),
    done: (_, { t }) => ({ to: WIDGET, flash: widgetTexts(t).saved }),
  });

/** What the inputs are called, and what its rules say. */
export const widgetLabels = (t: Reader): Readonly<Record<string, string>> => {
  const say = widgetTexts(t);
  return {
    ...{ title: say.name, greeting: say.greeting, color: say.color, position: say.position },
    ...{ device_id: say.device, allowed_hosts: say.hosts, 'allowed_hosts[]': say.hosts },
  };
};
