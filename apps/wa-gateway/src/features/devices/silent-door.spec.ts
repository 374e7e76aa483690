import { once } from 'node:events';
import { connect } from 'node:net';
import { until, useRunning } from '@platform/testing';
import { SilentDoor } from './silent-door.fixture';

let entered = 0;
const door = useRunning(() => SilentDoor.start(() => (entered += 1)));

it('who gave up does not stand in the silent door any more, although nobody heard what was said', async () => {
  const { port } = new URL(door.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /ws/chat HTTP/1.1');
  await until(
    () => entered,
    (count) => count === 1,
  );
  expect(door.size).toBe(1);
  socket.destroy();
  await until(
    () => door.size,
    (size) => size === 0,
  );
});
