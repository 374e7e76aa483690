import { Agent, get } from 'node:http';
import { useSockets } from './realtime.fixture';

const { open, ended } = useSockets();

it('a client that polls begins no session with a server that stops, also on a connection that is still open', async () => {
  const { realtime, url } = await open({ authenticate: () => ({ session: undefined, rooms: [] }) });
  const agent = new Agent({ keepAlive: true });
  ended({ stop: () => agent.destroy() });
  const handshake = () =>
    new Promise((resolve, reject) =>
      get(`${url}/socket.io/?EIO=4&transport=polling`, { agent }, (response) => {
        response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]));
      }).on('error', reject),
    );
  expect(await handshake()).toEqual([200, 'keep-alive']);
  realtime.drain?.();
  expect(await handshake()).toEqual([503, 'close']);
});
