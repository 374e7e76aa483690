import { Choice, Flag, Text } from '@platform/validation';
import { ChatRef } from '../inbox/public';

export const priorities = ['low', 'medium', 'high', 'urgent'] as const;

export class RequestEscalate extends ChatRef {
  @Text({ max: 1000, visible: true, example: 'pelanggan minta bicara dengan atasan' }) alasan!: string;
  @Text({
    optional: true,
    max: 36,
    description: "who is asked; the supervisors' team when nobody is named, or the chat's own where no person asks",
  })
  to_team?: string;
  @Text({ optional: true, max: 64, description: 'one person who is asked' }) user_id?: string;
  @Choice(priorities, { optional: true }) prioritas?: (typeof priorities)[number];
}

export class FinishEscalate extends ChatRef {
  @Choice(['selesai', 'dikembalikan', 'ditolak'], { optional: true }) hasil?: 'selesai' | 'dikembalikan' | 'ditolak';
  @Text({ optional: true, max: 1000 }) catatan?: string;
  @Flag({ optional: true, description: 'also ends the chat' }) finish_chat?: boolean;
  @Text({ optional: true, max: 64, description: 'who acts, for callers without a token' }) user_id?: string;
}
