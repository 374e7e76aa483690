// A separate process, so that its CPU time is not counted as the server's. It speaks socket.io's protocol itself: a
// client library that parses every event would use more CPU than the measured server.
// https://socket.io/docs/v4/socket-io-protocol/ (packets 40 connect, 42 event) over https://socket.io/docs/v4/engine-io-protocol/ (0 open, 2 ping, 3 pong)
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { percentiles } from './rounds';
import type { SocketJob, SocketResult } from './socket-load.types';

const AT_ONCE = 50;
const PATIENCE_MS = 20_000;
const MARK = '"last_pesan_id":"';

const connectOne = ({ port, token }: SocketJob, heard: (id: string) => void): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`);
    socket.once('error', reject);
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      if (text === '2') return socket.send('3');
      if (text.startsWith('0')) return socket.send(`40${JSON.stringify({ token })}`);
      if (text.startsWith('40')) return resolve(socket);
      if (text.startsWith('44')) return reject(new Error(`refused: ${text}`));
      if (!text.startsWith('42["updateChatlist"')) return undefined;
      const at = text.indexOf(MARK) + MARK.length;
      return heard(text.slice(at, text.indexOf('"', at)));
    });
  });

const connectAll = async (job: SocketJob, heard: (id: string) => void): Promise<WebSocket[]> => {
  const sockets: WebSocket[] = [];
  while (sockets.length < job.sockets) {
    const wave = Math.min(AT_ONCE, job.sockets - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: wave }, () => connectOne(job, heard)))));
  }
  return sockets;
};

const messageOf = (id: string, index: number): FormData => {
  const form = new FormData();
  const number = `62877${String(index).padStart(7, '0')}@s.whatsapp.net`;
  const fields = {
    instanceID: 'dev1',
    result: 'true',
    report: 'false',
    type: 'chat',
    name: 'Budi',
    text: 'stok ada?',
    number,
    id,
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

const settled = async (done: () => boolean): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !done() && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

const run = async (job: SocketJob): Promise<SocketResult> => {
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  const answers: number[] = [];
  const begun = performance.now();
  const sockets = await connectAll(job, (id) => {
    const at = sentAt.get(id);
    if (at !== undefined) times.push(performance.now() - at);
  });
  const connected = (performance.now() - begun) / 1000;
  for (const socket of sockets.slice(0, job.slow)) socket.pause();
  const run = randomBytes(4).toString('hex');
  const write = async (index: number): Promise<void> => {
    const id = `${run}-${index}`;
    const body = messageOf(id, index);
    const at = performance.now();
    sentAt.set(id, at);
    const answer = await fetch(`http://127.0.0.1:${job.port}/v1/callback_message`, { method: 'POST', body });
    await answer.text();
    answers.push(performance.now() - at);
  };
  const writing: Promise<void>[] = [];
  for (let index = 0; index < job.messages; index++) {
    writing.push(write(index));
    await new Promise((resolve) => setTimeout(resolve, 1000 / job.perSecond));
  }
  await Promise.all(writing);
  const expected = job.messages * (job.sockets - job.slow);
  await settled(() => times.length >= expected);
  for (const socket of sockets) socket.terminate();
  const [events, own] = [percentiles(times), percentiles(answers)];
  return {
    connected,
    p50: events['p50 ms'],
    p99: events['p99 ms'],
    answer50: own['p50 ms'],
    answer99: own['p99 ms'],
    missing: expected - times.length,
  };
};

process.once('message', (job: SocketJob) => {
  void run(job).then((result) => process.send?.(result, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
