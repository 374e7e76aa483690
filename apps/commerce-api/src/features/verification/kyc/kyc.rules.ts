import { Conflict, type Failure } from '@platform/errors';
import { demandFields } from '../../../kind-fields';
import { machine } from '../../../machine';
import type { DocumentKind, KycFields, KycKind, KycState } from './kyc.dto';

export const kycRefusals = {
  alreadySubmitted: (): Failure =>
    new Conflict('The store has an identity check of this kind already: correct that one', {
      code: 'already_submitted',
    }),
} as const;

/** Design 3.3. What was approved stays approved. */
export const kycMachine = machine<KycState, 'submit' | 'approve' | 'reject'>({
  draft: { submit: 'submitted' },
  submitted: { approve: 'approved', reject: 'rejected' },
  approved: {},
  rejected: { submit: 'submitted' },
});

/** Whether its data and documents can be changed. */
export const isOpen = (status: KycState): boolean => status === 'draft' || status === 'rejected';

const FIELDS: Readonly<Record<KycKind, readonly (keyof KycFields)[]>> = {
  person: ['full_name', 'national_id', 'birth_date', 'address'],
  business: ['legal_name', 'tax_id', 'registration_no', 'address', 'director'],
};

/** What is asked for, in its order. */
export const kycFieldsOf = (kind: KycKind): readonly (keyof KycFields)[] => FIELDS[kind];

/** Throws `InvalidInput` for what a check of this kind lacks, and for what only another kind has. */
export const demandData = (kind: KycKind, data: KycFields): void => demandFields(kind, data, { needs: FIELDS[kind] });

/** As whom somebody is known once the check is approved. */
export const nameIn = (kind: KycKind, data: KycFields): string =>
  (kind === 'person' ? data.full_name : data.legal_name) ?? '';

const NEEDED: Readonly<Record<KycKind, readonly DocumentKind[]>> = {
  person: ['id_card', 'selfie'],
  business: ['id_card', 'tax_card', 'deed'],
};

export const neededDocuments = (kind: KycKind): readonly DocumentKind[] => NEEDED[kind];

/** Whether a check has every document without which nobody could decide on it. */
export const isComplete = (kind: KycKind, documents: readonly { readonly kind: DocumentKind }[]): boolean =>
  NEEDED[kind].every((needed) => documents.some((document) => document.kind === needed));
