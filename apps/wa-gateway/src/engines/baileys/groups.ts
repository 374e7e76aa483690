import type { GroupMetadata, WASocket } from 'baileys';
import type { LruCache } from '@platform/runtime';
import { EngineRefused } from '../engine.errors';
import type { Group, GroupAction, GroupMember, Jid, ParticipantResult } from '../engine.types';
import type { BinaryNode } from './baileys.library';
import type { People } from './people';

const DONE = 200;

const childrenOf = (node: BinaryNode | undefined, tag: string): BinaryNode[] =>
  Array.isArray(node?.content) ? node.content.filter((child) => child.tag === tag) : [];

const textOf = (status: number): string => (status === DONE ? 'done' : `WhatsApp refused with ${status}`);

/** The library puts WhatsApp's code into `data` of its errors, and elsewhere into `output`. */
const codeOf = (cause: unknown): number => {
  const { data, output } = cause as { data?: unknown; output?: { statusCode?: number } };
  return typeof data === 'number' ? data : (output?.statusCode ?? 0);
};

/** The device is not in the group, or there is none. */
const absent = (cause: unknown): undefined => {
  if ([401, 403, 404].includes(codeOf(cause))) return undefined;
  throw cause;
};

/** Groups of one device. */
export class Groups {
  constructor(
    private readonly people: People,
    private readonly known: LruCache<string, GroupMetadata>,
  ) {}

  /** Who is in a group is asked for before the first message to it, and not again until it changes. */
  async remember(socket: WASocket, id: Jid): Promise<void> {
    if (this.known.get(id)) return;
    const metadata = await socket.groupMetadata(id).catch(absent);
    if (!metadata) throw new EngineRefused('NOT_IN_GROUP', 'the device is in no such group');
    this.known.set(id, metadata);
  }

  async create(socket: WASocket, name: string, participants: readonly Jid[]) {
    const wanted = participants.map((jid) => ({ tag: 'participant', attrs: { jid } }));
    // The library's own call hides who was refused
    const attrs = { subject: name, key: socket.generateMessageTag() };
    const answer = (await socket.query({
      tag: 'iq',
      attrs: { type: 'set', xmlns: 'w:g2', to: '@g.us' },
      content: [{ tag: 'create', attrs, content: wanted }],
    })) as BinaryNode;
    const [node] = childrenOf(answer, 'group');
    const id = node?.attrs.id;
    if (!id) throw new Error('WhatsApp answered with no group');
    const results = await this.results(childrenOf(node, 'participant').map(({ attrs: given }) => given));
    const metadata = await socket.groupMetadata(id.includes('@') ? id : `${id}@g.us`);
    return { group: await this.group(metadata), results: this.inOrder(participants, results) };
  }

  async info(socket: WASocket, id: Jid): Promise<Group | undefined> {
    const metadata = await socket.groupMetadata(id).catch(absent);
    return metadata && this.group(metadata);
  }

  async change(socket: WASocket, id: Jid, action: GroupAction, participants: readonly Jid[]) {
    this.known.delete(id);
    const answers = await socket.groupParticipantsUpdate(id, [...participants], action).catch(absent);
    if (!answers) return undefined;
    const results = await this.results(
      answers.map(({ jid, status, content }) => ({ ...content.attrs, jid: jid ?? '', error: status })),
    );
    return this.inOrder(participants, results);
  }

  private async results(answers: readonly Record<string, string | undefined>[]): Promise<ParticipantResult[]> {
    return Promise.all(
      answers.map(async ({ jid = '', phone_number: number, error }) => {
        const status = Number(error ?? DONE);
        return { number: (await this.people.person(jid, number)).jid, status, message: textOf(status) };
      }),
    );
  }

  /** The answer of WhatsApp lists the creator too, and in its own order. */
  private inOrder(wanted: readonly Jid[], results: readonly ParticipantResult[]): ParticipantResult[] {
    const missing = { status: 404, message: textOf(404) };
    return wanted.map((number) => results.find((result) => result.number === number) ?? { number, ...missing });
  }

  private async group(metadata: GroupMetadata): Promise<Group> {
    const { id, subject: name, desc: description, creation, announce, owner, ownerPn } = metadata;
    const members = await Promise.all(
      metadata.participants.map(
        async ({ id: jid, phoneNumber, lid, admin, name: known, notify }): Promise<GroupMember> => ({
          number: (await this.people.person(jid, phoneNumber ?? lid)).jid,
          name: known ?? notify,
          admin: admin ?? null,
        }),
      ),
    );
    const creator = owner === undefined ? undefined : (await this.people.person(owner, ownerPn)).jid;
    return { id, name, description, owner: creator, createdAt: creation ?? 0, announce: announce ?? false, members };
  }
}
