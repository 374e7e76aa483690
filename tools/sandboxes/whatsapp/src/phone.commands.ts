import { readFile } from 'node:fs/promises';
import type { CustomerPhone, MessageRef, PhoneMediaKind, PhoneMessage } from './sandbox.types';

export interface PhoneCommand {
  readonly do: string;
  readonly to?: string;
  readonly text?: string;
  readonly file?: string;
  readonly kind?: PhoneMediaKind;
  readonly mimetype?: string;
  readonly id?: string;
  readonly name?: string;
  readonly participants?: readonly string[];
}

type Run = (phone: CustomerPhone, command: PhoneCommand) => Promise<unknown>;

const named = (phone: CustomerPhone, { id }: PhoneCommand): PhoneMessage => {
  const found = phone.received.findLast((message) => id === undefined || message.id === id);
  if (!found) throw new Error(id === undefined ? 'Nothing was received yet.' : `No message ${id} was received.`);
  return found;
};

const send: Run = async (phone, { to, text = '', file, kind = 'document', mimetype }): Promise<MessageRef> => {
  if (!to) throw new Error('"to" is required: a number, or the id of a group.');
  if (file === undefined) return phone.sendText(to, text);
  const fileName = file.split('/').at(-1);
  return phone.sendMedia(to, {
    kind,
    bytes: await readFile(file),
    mimetype: mimetype ?? 'application/octet-stream',
    caption: text,
    fileName,
  });
};

/** The commands of a phone by their `do`; without `id` they refer to the last received message. */
export const phoneCommands: Readonly<Record<string, Run>> = {
  send,
  read: (phone, command) => phone.markRead(named(phone, command)),
  play: (phone, command) => phone.markPlayed(named(phone, command)),
  react: (phone, command) => phone.react(named(phone, command), command.text ?? '👍'),
  group: async (phone, { name = 'Group', participants = [] }) => ({
    group: await phone.createGroup(name, participants),
  }),
  offline: (phone) => phone.offline(),
  online: (phone) => phone.online(),
};
