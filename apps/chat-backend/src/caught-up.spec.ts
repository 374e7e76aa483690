import { environment } from '@platform/runtime';
import { startGate, until, useOpened } from '@platform/testing';
import { io, type Socket } from 'socket.io-client';
import { RINA, startChat } from './chat.fixture';
import { startTwoProcesses } from './two-processes.fixture';

const MESSAGES = 100;
const NOHP = '628100000001';
const ended = useOpened();
const all = Array.from({ length: MESSAGES }, (_, index) => index + 1);

/** Does what the description of the sockets asks of a client: it syncs after a return that was not recovered, and at a gap. */
class Reader {
  /** Numbers of messages as they are shown. */
  readonly shown: number[] = [];
  readonly recovered: boolean[] = [];
  private syncing: Promise<void> | undefined;

  constructor(
    readonly socket: Socket,
    private readonly chatId: string,
  ) {
    socket.on('newMessage', ({ seq }: { seq: number }) => void (this.show(seq) || this.sync()));
    socket.on('connect', () => {
      this.recovered.push(socket.recovered);
      if (!socket.recovered) void this.enter();
    });
  }

  async enter(): Promise<void> {
    expect(await this.socket.emitWithAck('chatJoin', { chatId: this.chatId })).toEqual({ result: true });
    await this.sync();
  }

  private get last(): number {
    return this.shown.at(-1) ?? 0;
  }

  /** False: one before it is missing. */
  private show(seq: number): boolean {
    if (seq > this.last + 1) return false;
    if (seq === this.last + 1) this.shown.push(seq);
    return true;
  }

  private sync(): Promise<void> {
    return (this.syncing ??= this.socket
      .emitWithAck('sync', { chats: { [this.chatId]: this.last } })
      .then(({ chats }: { chats: Record<string, { inbox: { seq: number }[] }> }) =>
        chats[this.chatId]?.inbox.forEach(({ seq }) => this.show(seq)),
      )
      .finally(() => (this.syncing = undefined)));
  }
}

const settings: [string, Record<string, string>][] = [['without Redis', {}]];
const { REDIS_URL } = environment;
if (REDIS_URL) settings.push(['with Redis', { REDIS_URL }]);
else process.stderr.write('REDIS_URL is not set: how clients catch up was tested without Redis only.\n');

const CHAT_ID = `SELECT store_id || '.' || id AS id FROM conversations WHERE nohp = '${NOHP}'`;

describe.each(settings)('a client that loses its connection during 100 messages, %s,', (_, more) => {
  it.each([
    ['and is recovered', true],
    ['and is not recovered', false],
  ])('%s, shows each once and in order', async (_name, isRecovered) => {
    const chat = ended(await startChat({ environment: more }));
    const say = (n: number) => chat.inbound({ number: `${NOHP}@s.whatsapp.net`, text: `${n}` });
    await say(1);
    const [row] = await chat.database.query<{ id: string }>(CHAT_ID);
    const auth = { token: chat.tokens.tokenFor(RINA) };
    const socket = ended(io(chat.url, { auth, forceNew: true, reconnection: false }));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const reader = new Reader(socket, row?.id ?? '');
    await reader.enter();
    for (const n of all.slice(1)) {
      if (n === 30) socket.io.engine.close();
      if (n === 60) {
        await until(() => !socket.connected);
        // A client that came back too late, or to a process that knows nothing of it
        if (!isRecovered) Object.assign(socket, { _pid: undefined });
        socket.connect();
      }
      await say(n);
    }
    await until(() => reader.shown.length >= MESSAGES);
    expect({ shown: reader.shown, recovered: reader.recovered }).toEqual({ shown: all, recovered: [isRecovered] });
  });
});

if (REDIS_URL)
  it('a client whose process loses Redis during 100 messages to the other one shows each once and in order', async () => {
    const redis = ended(await startGate(REDIS_URL));
    const two = ended(await startTwoProcesses({ REDIS_URL: redis.url }));
    await two.inbound(0, NOHP, '1');
    const [row] = await two.query<{ id: string }>(CHAT_ID);
    const { socket } = await two.listen(1, two.tokens.tokenFor(RINA));
    const reader = new Reader(socket, row?.id ?? '');
    await reader.enter();
    const say = (n: number) => two.inbound(0, NOHP, `${n}`);
    for (const n of all.slice(1, 40)) await say(n);
    await until(() => reader.shown.length === 40);
    await redis.close();
    for (const n of all.slice(40, 60)) await say(n);
    await redis.open();
    const others = await two.listen(1, two.tokens.tokenFor(RINA));
    // The list row of another chat crosses again
    await until(async () => {
      await two.inbound(0, '628100000002', 'halo');
      return others.heard.some(({ name }) => name === 'updateChatlist');
    });
    for (const n of all.slice(60)) await say(n);
    await until(() => reader.shown.length >= MESSAGES);
    expect(reader.shown).toEqual(all);
  });
