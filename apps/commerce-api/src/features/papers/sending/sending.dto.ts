import { Choice } from '@platform/validation';

export const sendChannels = ['whatsapp', 'email'] as const;
export type SendChannel = (typeof sendChannels)[number];

export class InvoiceSending {
  @Choice(sendChannels) channel!: SendChannel;
}
