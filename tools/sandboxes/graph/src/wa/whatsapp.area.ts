import { setTimeout as pause } from 'node:timers/promises';
import type { GraphAnswer, GraphArea, GraphCall } from '../graph.area';
import { WhatsAppError } from './whatsapp.error';
import { textAt, type Json } from '../json.reader';
import { readInbound, readPerson, readReceipt, readSubscription } from './inbound.message';
import { checkUpload, hidesNumber, readOutgoing } from './outgoing.message';
import { readFault, type FaultSwitch } from './whatsapp.faults';
import type { WhatsAppNetwork } from './whatsapp.network';
import {
  newWamid,
  type BusinessNumber,
  type SentMessage,
  type StoredMedia,
  type WhatsAppStore,
} from './whatsapp.store';

/** Media lookups answer addresses like `/whatsapp_business/attachments/?mid=…`. */
const DOWNLOAD_PATH = 'whatsapp_business';

/** The Cloud API's calls for messages and media, and the control routes of the phones behind them. */
export class WhatsAppArea implements GraphArea {
  readonly name = 'wa';
  private readonly store: WhatsAppStore;
  private readonly faults: FaultSwitch;
  private readonly ending = new AbortController();

  constructor(private readonly network: WhatsAppNetwork) {
    this.store = network.store;
    this.faults = network.faults;
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.network.webhooks.close();
  }

  async serve(call: GraphCall): Promise<GraphAnswer | undefined> {
    const [first = '', ...rest] = call.path;
    if (call.method === 'GET' && first === DOWNLOAD_PATH) return this.download(call);
    const number = this.store.numbers.get(first);
    const file = this.store.file(first);
    const name = `${call.method} ${rest.join('/')}`.trim();
    if (file && name === 'GET') return this.lookup(file, call);
    return number && this.serveNumber(number, name, call);
  }

  private async serveNumber(number: BusinessNumber, name: string, call: GraphCall): Promise<GraphAnswer | undefined> {
    switch (name) {
      case 'GET':
        return this.describe(number, call);
      case 'POST messages':
        return this.messages(number, call);
      case 'POST media':
        return this.upload(number, call);
      default:
        return undefined;
    }
  }

  async control(method: string, verb: string, body: unknown): Promise<unknown> {
    switch (`${method} ${verb}`) {
      case 'POST inbound':
        return { id: this.network.customerSends(readInbound(body)) };
      case 'POST read':
        return { count: this.network.personReads(readPerson(body).from, readPerson(body).id) };
      case 'POST play':
        return { count: this.network.personPlays(readPerson(body).from, readPerson(body).id) };
      case 'POST offline':
        this.network.setOffline(readPerson(body).from, readPerson(body).on);
        return readPerson(body);
      case 'POST faults':
        this.faults.add(readFault(body));
        return { faults: this.faults.list() };
      case 'DELETE faults':
        this.faults.clear();
        return { faults: [] };
      case 'POST webhook':
        return { verified: await this.network.subscribe(readSubscription(body)) };
      case 'GET messages':
        return { messages: this.store.sent };
      case 'GET webhooks':
        return { pending: this.network.webhooks.pending, attempts: this.network.webhooks.attempts };
      default:
        return undefined;
    }
  }

  /** Requires the token of some business or, with `number`, of that number. */
  private authenticate({ token }: GraphCall, number?: BusinessNumber): void {
    const known = number ? [number] : [...this.store.numbers.values()];
    if (!known.some((each) => each.token === token))
      throw new WhatsAppError(
        190,
        token === undefined ? 'An access token is required.' : 'Invalid OAuth access token.',
      );
  }

  private describe(number: BusinessNumber, call: GraphCall): GraphAnswer {
    this.authenticate(call, number);
    this.faults.refuse('number');
    const { id, displayPhoneNumber: display_phone_number, verifiedName: verified_name } = number;
    return { json: { verified_name, display_phone_number, quality_rating: 'GREEN', platform_type: 'CLOUD_API', id } };
  }

  private async messages(number: BusinessNumber, call: GraphCall): Promise<GraphAnswer> {
    this.authenticate(call, number);
    const request = call.json;
    if (!request) throw new WhatsAppError(100, 'The request body is not a JSON object.');
    const receipt = readReceipt(request);
    if (receipt) return this.readByBusiness(receipt);
    this.faults.refuse('messages', textAt(request, 'to'));
    const sent = this.accept(number, request);
    const delay = this.faults.take('delay', 'messages', sent.to);
    const drop = this.faults.take('accept_then_drop', 'messages', sent.to);
    this.network.travel(sent);
    if (delay) await pause(delay.ms ?? 1_000, undefined, { signal: this.ending.signal, ref: false });
    if (drop) return 'drop';
    const who = hidesNumber(sent.to) ? { user_id: sent.to } : { wa_id: sent.to };
    const contacts = [{ input: textAt(request, 'to') ?? sent.to, ...who }];
    return { json: { messaging_product: 'whatsapp', contacts, messages: [{ id: sent.id }] } };
  }

  private accept(number: BusinessNumber, request: Json): SentMessage {
    const outgoing = readOutgoing(request, this.store);
    const sent: SentMessage = { ...outgoing, id: newWamid(), numberId: number.id, level: 'accepted' };
    this.store.sent.push(sent);
    return sent;
  }

  private readByBusiness(receipt: { id: string; typing: boolean }): GraphAnswer {
    if (!this.store.inbound.has(receipt.id)) throw new WhatsAppError(100, 'message_id is not a message of a customer.');
    this.store.readByBusiness.push(receipt);
    return { json: { success: true } };
  }

  private async upload(number: BusinessNumber, call: GraphCall): Promise<GraphAnswer> {
    this.authenticate(call, number);
    this.faults.refuse('upload');
    const type = String(call.headers['content-type']);
    const form = await new Response(new Uint8Array(call.body), { headers: { 'content-type': type } })
      .formData()
      .catch(() => undefined);
    const file = form?.get('file');
    if (!form || !(file instanceof Blob)) throw new WhatsAppError(100, 'The parameter file is required.');
    if ((form.get('messaging_product') ?? call.query.get('messaging_product')) !== 'whatsapp')
      throw new WhatsAppError(100, 'The parameter messaging_product is required.');
    const bytes = Buffer.from(await file.arrayBuffer());
    const mimetype = (file.type || String(form.get('type') ?? '')).split(';')[0] ?? '';
    checkUpload(bytes, mimetype);
    return { json: { id: this.store.keep(bytes, mimetype).id } };
  }

  private lookup(file: StoredMedia, call: GraphCall): GraphAnswer {
    this.authenticate(call);
    this.faults.refuse('lookup');
    const { id, sha256, mimetype: mime_type, bytes } = file;
    const foreign = this.faults.take('foreign_url', 'lookup') ?? this.faults.take('foreign_url');
    const url = foreign?.url ?? `${call.origin}/${DOWNLOAD_PATH}/attachments/?mid=${id}&ext=1&hash=sandbox`;
    return { json: { url, mime_type, sha256, file_size: bytes.length, id, messaging_product: 'whatsapp' } };
  }

  private download(call: GraphCall): GraphAnswer {
    this.authenticate(call);
    this.faults.refuse('download');
    const file = this.store.file(call.query.get('mid') ?? '');
    if (!file) throw new WhatsAppError(100, 'The address has expired.', 404);
    const corrupt = this.faults.take('corrupt', 'download') ?? this.faults.take('corrupt');
    const bytes = corrupt ? Buffer.concat([file.bytes.subarray(1), Buffer.from('!')]) : file.bytes;
    return { bytes, mimetype: file.mimetype };
  }
}
