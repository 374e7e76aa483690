import type { ListedPage } from '@platform/data';
import { Text, Texts } from '@platform/validation';
import type { Typed } from '../../../web/sessions/drafts';
import { Seen } from '../../../web/seen';
import { hoursTyped } from '../../shop/hours/public';
import { ChatTeamChange, type ChatTeam } from './chat-teams.dto';

export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** The teams of a page, each with who sits in it. */
export interface ChatTeamsData {
  readonly listed: ListedPage<ChatTeam>;
  readonly members: readonly Choice[];
  /** Of those who sit in one, who may not work there now. */
  readonly disabled: ReadonlySet<string>;
  readonly devices: readonly Choice[];
}

export class TeamEdit extends ChatTeamChange {
  @Text({ max: 36 }) id!: string;
  @Text({ max: 60, trim: true }) override name!: string;
  @Seen() seen!: string;
}

export class TeamSeats {
  @Text({ max: 36 }) id!: string;
  @Text({ max: 64, description: 'Who was shown to sit in it: others by now are a conflict' }) seen!: string;
  @Texts({ optional: true, max: 500, maxLength: 36 }) user_ids?: string[];
  @Texts({ optional: true, max: 100, maxLength: 36 }) device_ids?: string[];
}

export class TeamNamed {
  @Text({ max: 36 }) id!: string;
}

const listOf = (value: unknown): string[] => [value ?? []].flat() as string[];

/** A box that is not ticked says no; a day without times is not worked. */
export const teamTyped = (typed: Typed): Typed => ({ ...hoursTyped(typed), private: typed.private ?? 'false' });

/** What is not ticked is not sent: nobody at all, and no number. */
export const seatsTyped = (typed: Typed): Typed => ({
  ...typed,
  ...{ user_ids: listOf(typed.user_ids), device_ids: listOf(typed.device_ids) },
});
