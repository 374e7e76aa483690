import { Choice, List, Nested, Text } from '@platform/validation';

export const kycKinds = ['person', 'business'] as const;
export type KycKind = (typeof kycKinds)[number];
export const kycStates = ['draft', 'submitted', 'approved', 'rejected'] as const;
export type KycState = (typeof kycStates)[number];
export const documentKinds = ['id_card', 'selfie', 'tax_card', 'deed', 'bank_book'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Bytes of a document. */
export const KYC_FILE_LIMIT = 5 * 1024 * 1024;

const ofPerson = 'Of a person, required there';
const ofBusiness = 'Of a business, required there';
const digits = (pattern: RegExp, text: string) => ({ trim: true, pattern, mismatch: { tag: 'len', text } });

/** What is checked; which fields there are follows from the kind. */
export class KycFields {
  @Text({ optional: true, max: 150, trim: true, description: ofPerson }) full_name?: string;
  @Text({ optional: true, ...digits(/^\d{16}$/, 'must have 16 digits'), description: ofPerson }) national_id?: string;
  @Text({ optional: true, format: 'date', description: ofPerson }) birth_date?: string;
  @Text({ optional: true, max: 300, trim: true, description: 'Required' }) address?: string;
  @Text({ optional: true, max: 150, trim: true, description: ofBusiness }) legal_name?: string;
  @Text({ optional: true, ...digits(/^\d{15,16}$/, 'must have 15 or 16 digits'), description: ofBusiness })
  tax_id?: string;
  @Text({ optional: true, max: 60, trim: true, description: ofBusiness }) registration_no?: string;
  @Text({ optional: true, max: 150, trim: true, description: ofBusiness }) director?: string;
}

export class NewKyc {
  @Choice(kycKinds) kind!: KycKind;
  @Nested(() => KycFields) data!: KycFields;
}

export class KycCorrection {
  @Nested(() => KycFields, { description: 'All of it: what is left out is gone' }) data!: KycFields;
}

export class DocumentBody {
  @Choice(documentKinds) kind!: DocumentKind;
}

export class KycDocument {
  @Choice(documentKinds) kind!: DocumentKind;
  @Text({ format: 'uuid', description: 'Listed with a link by `GET /api/upload?purpose=document`' }) media_id!: string;
}

export class Kyc {
  @Text({ format: 'uuid' }) id!: string;
  @Choice(kycKinds) kind!: KycKind;
  @Choice(kycStates) status!: KycState;
  @Nested(() => KycFields) data!: KycFields;
  @List(() => KycDocument) documents!: KycDocument[];
  @Text({ nullable: true, description: 'Why it was rejected' }) reason!: string | null;
}
