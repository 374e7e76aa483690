import * as sdk from 'facebook-nodejs-business-sdk';
import { startGraphSandbox, type GraphSandbox } from '../index';
import { defaultPixel } from './pixels.store';

const { FacebookAdsApi } = sdk;
/** Parts of the SDK that its types leave out. */
interface Chained {
  [method: string]: (value?: unknown) => Chained;
}
const { ServerEvent, EventRequest, UserData, CustomData, Content } = sdk as unknown as Record<
  string,
  new (...given: unknown[]) => Chained
>;
const made = (part: (new (...given: unknown[]) => Chained) | undefined, ...given: unknown[]): Chained => {
  if (!part) throw new Error('the SDK has no such part');
  return new part(...given);
};

let sandbox: GraphSandbox;
beforeAll(async () => {
  sandbox = await startGraphSandbox({ port: 0 });
  Object.defineProperty(FacebookAdsApi, 'GRAPH', { get: () => sandbox.url, configurable: true });
});
afterAll(() => sandbox.close());
beforeEach(() => void sandbox.pixels.received.splice(0));

const seconds = (): number => Math.floor(Date.now() / 1000);
const purchase = (eventId: string): Chained => {
  const user = made(UserData).setEmails?.([' Budi@Example.COM ']).setPhones?.(['+62 812-3456-7890']);
  const content = made(Content).setId?.('HAT-0').setQuantity?.(2).setItemPrice?.(10_000);
  const money = made(CustomData).setCurrency?.('idr').setValue?.(20_000).setContents?.([content]);
  return made(ServerEvent)
    .setEventName?.('Purchase')
    .setEventTime?.(seconds())
    .setEventId?.(eventId)
    .setActionSource?.('system_generated')
    .setUserData?.(user)
    .setCustomData?.(money) as Chained;
};
/** The SDK keeps one default API, whose crash reporter is off. */
const send = async (
  events: readonly Chained[],
  token = defaultPixel.token,
  pixel = defaultPixel.id,
): Promise<unknown> => {
  FacebookAdsApi.init(token, 'en_US', false);
  const request = made(EventRequest, token, pixel).setEvents?.(events);
  return (await request?.execute?.()) as unknown;
};

describe('the official client against the events of pixels', () => {
  it('has its events taken, hashed as it hashes them', async () => {
    expect(await send([purchase('one')])).toMatchObject({ _events_received: 1, _messages: [] });
    expect(sandbox.pixels.received).toEqual([
      {
        pixel: defaultPixel.id,
        test_event_code: undefined,
        event: expect.objectContaining({
          event_name: 'Purchase',
          event_id: 'one',
          user_data: expect.objectContaining({
            em: ['0b56f1259b38a335ddd59dde3b9e33ce84db52ca53b050c4d28e1fd0bb2b1525'],
            ph: ['dd752605096029a73495a91862983963e1947a834a4300808074185af10bb725'],
          }),
        }),
      },
    ]);
  });

  it('counts an event of one name and id once', async () => {
    await send([purchase('two'), purchase('three')]);
    await send([purchase('two')]);
    expect([sandbox.pixels.received.length, sandbox.pixels.counted().length]).toEqual([3, 2]);
  });

  it.each([
    ['a token of nobody', 'wrong', defaultPixel.id],
    ["somebody else's pixel", defaultPixel.token, '600770000000009'],
  ])('is refused with %s', async (_, token, pixel) => {
    await expect(send([purchase('four')], token, pixel)).rejects.toMatchObject({ status: 400 });
    expect(sandbox.pixels.received).toEqual([]);
  });
});

const hash = 'a'.repeat(64);
const good = () => ({
  event_name: 'Purchase',
  event_time: seconds(),
  event_id: 'five',
  action_source: 'system_generated',
  user_data: { em: [hash] },
  custom_data: { currency: 'IDR', value: 20_000 },
});
const post = async (data: unknown) => {
  const body = JSON.stringify({ data, access_token: defaultPixel.token });
  const answer = await fetch(`${sandbox.url}/v24.0/${defaultPixel.id}/events`, { method: 'POST', body });
  const { error } = (await answer.json()) as { error?: { code: number; error_user_msg: string } };
  return [answer.status, error?.code, error?.error_user_msg];
};

it.each<[string, object, string]>([
  ['an event of last week', { event_time: 1_500_000_000 }, 'event_time is more than 7 days ago'],
  ['one without a source', { action_source: undefined }, 'action_source is missing or unknown'],
  ['a website without its page', { action_source: 'website' }, 'event_source_url is required for website events'],
  ['an e-mail address in the open', { user_data: { em: ['a@b.c'] } }, 'user_data.em must be hashed with SHA-256'],
  ['nobody', { user_data: {} }, 'must include at least one customer information parameter in user_data'],
  ['no money', { custom_data: { currency: 'IDR' } }, 'custom_data.value is required for Purchase'],
])('%s refuses all events of a call', async (_, wrong, text) => {
  expect(await post([good(), { ...good(), ...wrong }])).toEqual([400, 100, `data[1]: ${text}`]);
  expect(sandbox.pixels.received).toEqual([]);
  expect(await post([good()])).toEqual([200, undefined, undefined]);
});
