import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

interface SendCall {
  readonly pesan_id: string;
  readonly data: { readonly instanceID: string; readonly number: string };
}

/** A gateway that accepts every send at once and outlives the kills of the service that calls it. */
export interface CampaignGateway {
  readonly url: string;
  readonly ledger: {
    /** Ids of the messages that each number got. */
    readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
    /** Calls with an id that was taken before, by a service that was killed before it knew. */
    readonly repeated: number;
    /** Acknowledgements that chat-backend has not taken yet. */
    readonly owed: number;
  };
  stop(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<SendCall> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as SendCall;
};

const AT_ONCE = 8;
const TRY_AGAIN_MS = 100;
const HEADERS = { 'Content-Type': 'application/json' };

/** Acknowledges delivery, repeating each call until chat-backend takes it, like the real gateway. */
class Acknowledgements {
  private readonly calls: SendCall[] = [];
  private busy = 0;
  private ended = false;

  constructor(private readonly chatUrl: string) {}

  get owed(): number {
    return this.calls.length + this.busy;
  }

  add(call: SendCall): void {
    this.calls.push(call);
    if (this.busy < AT_ONCE) void this.work();
  }

  end(): void {
    this.ended = true;
  }

  private async work(): Promise<void> {
    this.busy += 1;
    for (let call = this.calls.shift(); call && !this.ended; call = this.calls.shift())
      while (!(await this.tell(call)) && !this.ended) await pause(TRY_AGAIN_MS);
    this.busy -= 1;
  }

  private async tell({ pesan_id: id, data }: SendCall): Promise<boolean> {
    const body = JSON.stringify({
      ...{ instanceID: data.instanceID, result: true, report: true, number: `${data.number}@s.whatsapp.net` },
      ...{ id: `WA-${id}`, status: 'delivered', timestamp: Date.now(), rawMessage: JSON.stringify({ pesan_id: id }) },
    });
    try {
      const answer = await fetch(`${this.chatUrl}/v1/callback_message`, { method: 'POST', headers: HEADERS, body });
      return ((await answer.json()) as { result?: boolean }).result === true;
    } catch {
      return false;
    }
  }
}

class Ledger {
  readonly taken = new Map<string, Set<string>>();
  repeated = 0;

  constructor(private readonly acknowledgements: Acknowledgements) {}

  get owed(): number {
    return this.acknowledgements.owed;
  }

  /** The answer to a send: `duplicate` for a known id (wa-gateway design 2.2). */
  take(call: SendCall): object {
    const ids = this.taken.get(call.data.number) ?? new Set();
    const isKnown = ids.has(call.pesan_id);
    this.taken.set(call.data.number, ids.add(call.pesan_id));
    if (isKnown) this.repeated += 1;
    else this.acknowledgements.add(call);
    const data = { id: `WA-${call.pesan_id}`, ...(isKnown ? { duplicate: true } : {}) };
    return { success: true, message: 'success send message', data };
  }
}

const DEVICES = { success: true, message: 'success', data: { devices: [] } };

/** Starts a gateway that takes every send and acknowledges each message once, at `chatUrl`. */
export const startCampaignGateway = async (chatUrl: string): Promise<CampaignGateway> => {
  const acknowledgements = new Acknowledgements(chatUrl);
  const ledger = new Ledger(acknowledgements);
  const server = createServer((request, response) => {
    const reply = (body: object) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/api/send-message') void bodyOf(request).then((call) => reply(ledger.take(call)));
    else reply(DEVICES);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async (): Promise<void> => {
    acknowledgements.end();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ledger, stop };
};
