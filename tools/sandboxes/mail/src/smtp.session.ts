import type { Socket } from 'node:net';

const MOST_BYTES = 10 * 1024 * 1024;
const END = '\r\n.\r\n';

type Received = (to: readonly string[], raw: string) => void;

/** One connection of a mail client, by RFC 5321: no TLS, no sign-in, every address accepted. */
export class SmtpSession {
  private pending = '';
  private recipients: string[] = [];
  private reading = false;

  constructor(
    private readonly socket: Socket,
    private readonly received: Received,
  ) {
    socket.setEncoding('utf8').on('data', (text: string) => this.take(text));
    socket.on('error', () => socket.destroy());
    this.say('220 SANDBOX mail server: nothing is sent on');
  }

  private say(line: string): void {
    this.socket.write(`${line}\r\n`);
  }

  private take(text: string): void {
    this.pending += text;
    if (this.pending.length > MOST_BYTES) return void this.socket.end('552 message too large\r\n');
    while (this.reading ? this.endsMessage() : this.takesLine());
  }

  private takesLine(): boolean {
    const at = this.pending.indexOf('\r\n');
    if (at < 0) return false;
    const line = this.pending.slice(0, at);
    this.pending = this.pending.slice(at + 2);
    this.command(line);
    return true;
  }

  private endsMessage(): boolean {
    const at = `\r\n${this.pending}`.indexOf(END);
    if (at < 0) return false;
    const raw = this.pending.slice(0, at).replace(/^\.\./gm, '.');
    this.pending = this.pending.slice(at + END.length - 2);
    this.reading = false;
    this.received(this.recipients, raw);
    this.recipients = [];
    this.say('250 kept, and sent to nobody');
    return true;
  }

  private command(line: string): void {
    const [, verb = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    switch (verb.toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        return this.say('250 sandbox');
      case 'MAIL':
      case 'RSET':
        this.recipients = [];
        return this.say('250 ok');
      case 'RCPT':
        this.recipients.push(/<([^>]*)>/.exec(rest)?.[1] ?? '');
        return this.say('250 ok');
      case 'DATA':
        this.reading = this.recipients.length > 0;
        return this.say(this.reading ? '354 go on' : '503 first RCPT TO');
      case 'NOOP':
        return this.say('250 ok');
      case 'QUIT':
        return void this.socket.end('221 bye\r\n');
      default:
        return this.say('502 unknown here');
    }
  }
}
