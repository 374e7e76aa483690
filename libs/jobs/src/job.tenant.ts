/** How payloads name the tenant for whom a job is: what shares are counted by. */
export const TENANT_MEMBERS = ['storeId', 'applicationId'] as const;
export type TenantMember = (typeof TENANT_MEMBERS)[number];

/** What every job of a tenant carries from the beginning. */
export const tenantFlag = (member: TenantMember, tenant: string): string => `${member} ${tenant}`;

const flags = TENANT_MEMBERS.map((member) => `'${member} ' || (NEW.payload ->> '${member}')`).join(', ');

const members = TENANT_MEMBERS.map((member) => `NEW.payload ->> '${member}'`).join(', ');

/**
 * A job carries its tenant as a flag, by which a runner passes over all jobs of a tenant that is not to have a place: of a long backlog
 * each job would be taken once, just to be returned. One that holds what PostgreSQL makes no text of, such as U+0000, goes without.
 */
export const tenantTrigger = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.flags := coalesce(NEW.flags, '{}') || (SELECT jsonb_object_agg(flag, true) FROM unnest(ARRAY[${flags}]) flag WHERE flag IS NOT NULL);
    RETURN NEW;
  END $$;
  CREATE TRIGGER of_tenant BEFORE INSERT ON ${schema}._private_jobs
    FOR EACH ROW WHEN (CASE WHEN pg_input_is_valid(NEW.payload::text, 'jsonb') THEN coalesce(${members}) END IS NOT NULL)
    EXECUTE FUNCTION ${schema}.of_tenant()`;
