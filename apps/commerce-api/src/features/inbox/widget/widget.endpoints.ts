import type { Database } from '@platform/data';
import { area, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Widget, WidgetChange } from './widget.dto';
import { changeWidget, widgetOf } from './widget.sql';

export const widgetEndpoints = (database: Database, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/livechat/widget', tag: 'Chat' }, [
    endpoint({
      get: '',
      summary: 'Website chat widget settings',
      guard: 'member',
      reply: dataOf(Widget),
      refuses: [],
      handle: ({ caller }) => widgetOf(database, caller.storeId),
    }),
    endpoint({
      put: '',
      summary: 'Update widget look and device',
      guard: 'settings.write',
      body: WidgetChange,
      reply: dataOf(Widget, 'Widget updated'),
      refuses: ['notFound'],
      handle: (input) => database.tx((tx) => changeWidget(tx, by(input), input.body)),
    }),
  ]);
