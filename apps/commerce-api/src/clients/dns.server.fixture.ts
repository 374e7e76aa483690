import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

type RecordType = 'TXT' | 'CNAME' | 'A' | 'AAAA';
const TYPES: Readonly<Record<number, RecordType>> = { 1: 'A', 5: 'CNAME', 16: 'TXT', 28: 'AAAA' };
const NUMBERS: Readonly<Record<RecordType, number>> = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 };
const [NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME] = [0, 2, 3];

export interface DnsServer {
  /** As `DNS_SERVERS` names it. */
  readonly address: string;
  /** Of a name, what it has; a name with nothing exists and is empty. */
  readonly zone: Map<string, Partial<Record<RecordType, readonly string[]>>>;
  readonly asked: string[];
  /** It answers every question with SERVFAIL. */
  isBroken: boolean;
  /** It answers no question. */
  isSilent: boolean;
  stop(): Promise<void>;
}

const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

const ipv6Bytes = (address: string): Buffer => {
  const [head = '', tail = ''] = address.split('::');
  const [front, back] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)];
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const dataOf = (type: RecordType, value: string): Buffer => {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'AAAA') return ipv6Bytes(value);
  return type === 'CNAME' ? nameBytes(value) : Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
};

/** Its name is that of the question, by a pointer (RFC 1035, 4.1.4). */
const recordBytes = (type: RecordType, value: string): Buffer => {
  const data = dataOf(type, value);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(NUMBERS[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const questionOf = (packet: Buffer): { name: string; type: number; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
};

/** A name server on this machine, over UDP, that knows what a test puts into its zone (RFC 1035). */
export const startDnsServer = async (): Promise<DnsServer> => {
  const socket = createSocket('udp4');
  const zone: DnsServer['zone'] = new Map();
  const asked: string[] = [];
  const server = { zone, asked, isBroken: false, isSilent: false };
  socket.on('message', (packet, { port, address }) => {
    const { name, type, end } = questionOf(packet);
    const kind = TYPES[type];
    asked.push(`${kind} ${name}`);
    if (server.isSilent) return;
    const records = zone.get(name);
    const values = (kind && records?.[kind]) ?? [];
    const missing = records ? NO_ERROR : NO_SUCH_NAME;
    const answers = server.isBroken || !kind ? [] : values.map((value) => recordBytes(kind, value));
    const head = Buffer.alloc(12);
    packet.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8580 + (server.isBroken ? SERVER_FAILURE : missing), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([head, packet.subarray(12, end), ...answers]), port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return Object.assign(server, {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  });
};
