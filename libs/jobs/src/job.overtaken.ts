/**
 * A job that runs when a newer one is added under its key loses key and further attempts to it: graphile-worker would leave it dead when it
 * fails, or when its process is killed, although the newer one does what it was to do. It is marked by one attempt more than there are, which no
 * other job has, and goes when nobody has it any more.
 */
export const overtakenTriggers = (schema: string): string => `
  CREATE OR REPLACE FUNCTION ${schema}.overtaken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    NEW.attempts := NEW.max_attempts + 1;
    RETURN NEW;
  END $$;
  CREATE OR REPLACE FUNCTION ${schema}.forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    DELETE FROM ${schema}._private_jobs WHERE id = NEW.id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER overtaken BEFORE UPDATE OF key ON ${schema}._private_jobs
    FOR EACH ROW WHEN (OLD.key IS NOT NULL AND NEW.key IS NULL AND OLD.locked_at IS NOT NULL) EXECUTE FUNCTION ${schema}.overtaken();
  CREATE TRIGGER forget AFTER UPDATE OF locked_at ON ${schema}._private_jobs
    FOR EACH ROW WHEN (NEW.locked_at IS NULL AND NEW.attempts > NEW.max_attempts) EXECUTE FUNCTION ${schema}.forget()`;
