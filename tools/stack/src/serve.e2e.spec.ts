// A real `nx serve`, on ports and in a folder of its own.
import { takenPorts } from './free-ports';
import { localUrl } from './ports';
import { newStackPlace, until, type Command, type StackPlace } from './stack.fixture';

let place: StackPlace;
let served: Command;

beforeAll(async () => {
  place = await newStackPlace();
  served = place.shell('NX_DAEMON=false npx nx serve chat-backend');
});
afterAll(async () => {
  if (served.child.exitCode === null && served.child.signalCode === null) process.kill(-served.child.pid!, 'SIGKILL');
  place.remove();
});

it('a served service reports its steps before it compiles, then how to get a token, and accepts that token', async () => {
  await served.shows('chat-backend: preparing to serve it, with a database of its own ...\n');
  expect(served.output()).not.toContain('[1/3]');
  await served.shows('"message":"ready"');
  const { chat, storeAuth } = {
    chat: localUrl(place.ports.services['chat-backend']),
    storeAuth: localUrl(place.ports.services['store-auth']),
  };
  expect(served.output()).toContain(`store-auth on ${storeAuth}; a token: npm run -s token -- rina@toko-nusa.example`);
  expect(served.output()).toContain(`chat-backend on ${chat}, docs ${chat}/docs; Ctrl-C stops it`);
  const token = place.shell('npm run -s token -- rina@toko-nusa.example');
  expect(await token.ended).toBe(0);
  const answer = await fetch(`${chat}/v1/chat_list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.output().trim()}`, 'content-type': 'application/json' },
    body: '{"nohp":"-","instance":"all","team":"3"}',
  });
  expect([answer.status, await answer.json()]).toMatchObject([200, { result: true, data: [] }]);
});

it('a second serve on the same ports names the taken port and what to do', async () => {
  const second = place.run('serve', 'chat-backend');
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain(`Port ${place.ports.services['chat-backend']} is taken`);
});

it('a served service leaves nothing behind at Ctrl-C, and logs why it ended', async () => {
  process.kill(-served.child.pid!, 'SIGINT');
  await served.ended;
  await until('the end of everything', async () => (await takenPorts(place.ports, true)).length === 0);
  expect(place.logs()).toMatch(/Z stopped: chat-backend: \S/);
});
