import { ControlError, type GraphAnswer, type GraphArea, type GraphCall } from '../graph.area';
import { traceId } from '../graph.error';
import { isRecord, numberAt, textAt } from '../json.reader';
import { eventsOf } from './pixels.rules';
import type { PixelFault, PixelsNetwork } from './pixels.store';

const refused = (status: number, code: number, text: string): GraphAnswer => ({
  status,
  json: {
    error: {
      ...{ message: code === 100 ? 'Invalid parameter' : text, type: 'OAuthException', code },
      ...(code === 100 && { error_user_title: 'Invalid parameter', error_user_msg: text }),
      fbtrace_id: traceId(),
    },
  },
});

const faultIn = (body: unknown): PixelFault => {
  const row = isRecord(body) ? body : {};
  const [status, code] = [numberAt(row, 'status'), numberAt(row, 'code')];
  if (status === undefined || code === undefined) throw new ControlError('a fault needs status and code');
  return { status, code };
};

/** Events of pixels, as the Conversions API takes them (`POST /{pixel_id}/events`). */
export class PixelsArea implements GraphArea {
  readonly name = 'pixels';

  constructor(private readonly network: PixelsNetwork) {}

  async close(): Promise<void> {}

  async serve({ method, path, fields, token }: GraphCall): Promise<GraphAnswer | undefined> {
    const [id = '', edge] = path;
    if (method !== 'POST' || path.length !== 2 || edge !== 'events') return undefined;
    const fault = this.network.faults.shift();
    if (fault) return refused(fault.status, fault.code, `(#${fault.code}) ordered by the test`);
    if (token === undefined) return refused(400, 104, 'An access token is required to request this resource.');
    const owner = [...this.network.pixels.values()].some((pixel) => pixel.token === token);
    if (!owner) return refused(400, 190, 'Invalid OAuth access token - Cannot parse access token');
    if (this.network.pixels.get(id)?.token !== token)
      return refused(400, 100, `Object with ID '${id}' does not exist or cannot be loaded due to missing permissions`);
    const events = eventsOf(fields, this.network.now());
    if (typeof events === 'string') return refused(400, 100, events);
    const test_event_code = textAt(fields, 'test_event_code');
    this.network.received.push(...events.map((event) => ({ pixel: id, test_event_code, event })));
    return { json: { events_received: events.length, messages: [], fbtrace_id: traceId() } };
  }

  async control(method: string, verb: string, body: unknown): Promise<unknown> {
    switch (`${method} ${verb}`) {
      case 'GET events':
        return { events: this.network.received, counted: this.network.counted().length };
      case 'POST faults':
        this.network.faults.push(faultIn(body));
        return { faults: this.network.faults };
      default:
        return undefined;
    }
  }
}
