import { Choice, Flag, List, Slug, Text } from '@platform/validation';

export class NewDomain {
  @Text({ max: 253, trim: true, description: 'Such as shop.example.com' }) host!: string;
}

export class DomainRecord {
  @Choice(['TXT', 'CNAME']) type!: 'TXT' | 'CNAME';
  @Text() name!: string;
  @Text() value!: string;
  @Flag({ description: 'At the last look' }) found!: boolean;
}

export const domainStates = ['pending', 'active', 'failed'] as const;

export class Domain {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ description: 'Letters beyond ASCII as punycode' }) host!: string;
  @Choice(domainStates) status!: (typeof domainStates)[number];
  @List(() => DomainRecord, { description: 'To be set where the domain is managed' }) records!: DomainRecord[];
  @Choice(['not_verified', 'records_gone', 'host_taken'], { nullable: true })
  failure!: 'not_verified' | 'records_gone' | 'host_taken' | null;
  @Text({ nullable: true, format: 'instant' }) checked_at!: string | null;
  @Text({ nullable: true, format: 'instant' }) verified_at!: string | null;
  @Text({ format: 'instant' }) created_at!: string;
}

export class DomainsAnswer {
  @List(() => Domain) data!: Domain[];
}

export class SubdomainBody {
  @Slug() subdomain!: string;
}

export class Subdomain {
  @Text() subdomain!: string;
  @Text({ nullable: true, description: 'null: the platform has no domain for shops' }) host!: string | null;
}

export class SubdomainFree {
  @Flag() available!: boolean;
  @Choice(['taken', 'reserved', 'invalid'], { nullable: true, description: 'Why it is not' })
  reason!: 'taken' | 'reserved' | 'invalid' | null;
}

export class HostQuery {
  @Text({ max: 260, trim: true }) host!: string;
}

export class ResolvedHost {
  @Text() store_id!: string;
  @Text() slug!: string;
  @Choice(['store', 'biolink']) kind!: 'store' | 'biolink';
}
