import { io, type Socket } from 'socket.io-client';
import { asyncapi } from '@platform/realtime';
import { until, watchSockets } from '@platform/testing';
import type { Commerce } from '../../commerce.fixture';
import { liveApi } from '../../live/public';
import type { Notice, NoticeEvent } from '../../notice.types';
import { notify } from '../../notify';

const { documented, misfits } = watchSockets(asyncapi(liveApi));
const open = new Set<Socket>();

/** A connected client that keeps what it hears; rejects when it is refused. */
export const listen = async (url: string, token: string) => {
  const heard: [string, unknown][] = [];
  const socket = documented(io(url, { auth: { token }, transports: ['websocket'], reconnection: false }));
  open.add(socket);
  socket.onAny((name: string, payload: unknown) => void heard.push([name, payload]));
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
  return { socket, heard };
};

/** At the end of a suite: all that was heard was as it is described. */
export const closeSockets = (): void => {
  for (const socket of open) socket.close();
  expect(misfits()).toEqual([]);
};

export const noticeOf = (storeId: string, id: string, more: Partial<Notice> = {}): Notice => ({
  ...{ storeId, id, event: 'withdrawal.paid', params: { amount: 'Rp 5.000' }, url: '/wallet', ...more },
});
export const tell = ({ database }: Commerce, notice: Notice): Promise<void> => database.tx((tx) => notify(tx, notice));

/** The bodies of what members of a store were told of an event, once there is one of each. */
export const toldOf = async (
  { database }: Pick<Commerce, 'database'>,
  storeId: string,
  event: NoticeEvent,
  count = 1,
): Promise<string[]> => {
  const rows = 'SELECT DISTINCT notice_id, body FROM notification WHERE store_id = $1 AND event = $2 ORDER BY body';
  const told = await until(
    () => database.query<{ body: string }>(rows, [storeId, event]),
    (bodies) => bodies.length >= count,
  );
  return told.map(({ body }) => body);
};
