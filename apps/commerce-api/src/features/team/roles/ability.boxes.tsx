import type { JSX } from 'preact';
import { knownAbilities, type Need } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import type { FormState } from '../../../web/page.types';
import { Boxes } from '../../../web/ui/boxes';
import { abilityTexts } from './ability.texts';
import { roleTexts } from './roles.texts';

const GROUPS = {
  selling: ['product', 'stock', 'category', 'order', 'digital', 'coupon', 'checkout', 'contact'],
  talking: ['ticket', 'chat', 'device', 'agent', 'template', 'broadcast', 'wa'],
  money: ['payment', 'wallet', 'billing'],
  operations: ['shipping', 'warehouse', 'upload'],
  marketing: ['marketing', 'pixel', 'domain', 'report'],
  shop: ['settings', 'team', 'token', 'logs', 'kyc'],
} as const;
type GroupName = keyof typeof GROUPS;

interface Parts {
  readonly form: FormState;
  readonly t: Reader;
  readonly of: string;
  readonly value?: readonly string[];
  /** Those that can be given. */
  readonly among: (ability: Need) => boolean;
}

/** What somebody, or something, may do: boxes by what people do where. */
export const AbilityBoxes = ({ form, t, of, value, among }: Parts): JSX.Element => {
  const [say, all] = [abilityTexts(t), roleTexts(t)];
  const titles = { ...t.nav.groups, money: all.money };
  const groups = (Object.keys(GROUPS) as GroupName[]).map((name) => {
    const areas: readonly string[] = GROUPS[name];
    const own = knownAbilities.filter((ability) => areas.includes(ability.split('.')[0] ?? '') && among(ability));
    return [titles[name], own.map((ability) => [ability, say[ability]] as const)] as const;
  });
  return (
    <Boxes
      {...{ form, of, name: 'abilities', label: all.abilities, value }}
      groups={groups.filter(([, options]) => options.length > 0)}
    />
  );
};
